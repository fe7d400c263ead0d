"""What is in the archive: all that runs the console, and nothing that builds or tests it."""

from __future__ import annotations

from pathlib import Path

from deploy.release import container_files
from deploy.release.archive import Entry, read_entry
from deploy.release.errors import ReleaseError
from deploy.release.tree import Tree

PAGES = "frontend/dist"
PARTS = (
    *("manage.py", "requirements.txt", "docker-compose.yml"),
    *("LICENSE", "NOTICE", "CHANGELOG.md", "README.md", "SECURITY.md"),
    *("backend", "docs"),
    *(f"deploy/{name}" for name in ("client", "compose", "images", "monitoring", "proxy", "systemd")),
)


def entries(tree: Tree, pages: Path) -> list[Entry]:
    """Files of git, the built pages, and the container files without demo and Node."""
    found = {name: read_entry(tree.folder, name) for name in tree.files(*PARTS)}
    missing = [part for part in PARTS if not any(name == part or name.startswith(f"{part}/") for name in found)]
    if missing:
        raise ReleaseError(f"No release: the tree lacks {', '.join(missing)}.")
    found |= built_pages(pages)
    for name, change in (
        ("deploy/images/Dockerfile", container_files.dockerfile),
        ("docker-compose.yml", container_files.compose_file),
    ):
        found[name] = Entry(name, change(found[name].content.decode()).encode())
    found[".dockerignore"] = Entry(".dockerignore", container_files.BUILD_CONTEXT.encode())
    found[".env"] = Entry(".env", container_files.COMPOSE_ENVIRONMENT.encode())
    return list(found.values())


def built_pages(folder: Path) -> dict[str, Entry]:
    """Entries of the built pages by name."""
    if not (folder / "index.html").is_file():
        raise ReleaseError(f"No release: {folder} has no index.html. Build the pages first: npm run build.")
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    # A page needs no right to be executed, whatever the mask of who built it.
    return {f"{PAGES}/{name}": Entry(f"{PAGES}/{name}", (folder / name).read_bytes()) for name in names}
