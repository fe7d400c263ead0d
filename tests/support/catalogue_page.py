"""What catalogues of codes have in common: what each entry states, and how the page of the reference is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, TypeVar


class Entry(Protocol):
    """What the entries of all catalogues have in common."""

    @property
    def code(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def what_happened(self) -> str: ...
    @property
    def what_it_means(self) -> str: ...
    @property
    def what_to_do(self) -> str: ...


E = TypeVar("E", bound=Entry)
T = TypeVar("T")


def assert_complete(entries: Sequence[Entry]) -> None:
    """Each code once, with a title that is no sentence and texts that are."""
    codes = [entry.code for entry in entries]
    assert len(codes) == len(set(codes))
    for entry in entries:
        assert entry.title, entry.code
        assert not entry.title.endswith("."), entry.code
        for text in (entry.what_happened, entry.what_it_means, entry.what_to_do):
            assert text.endswith("."), entry.code


def page(head: str, subjects: Mapping[str, Sequence[E]], note: Callable[[E], str]) -> str:
    """The whole page: each subject a section, each code an anchor; `note` is the line below a code's heading."""
    return page_of(head, subjects, lambda entry: _lines(entry, note(entry)))


def page_of(head: str, subjects: Mapping[str, Sequence[T]], lines: Callable[[T], Iterable[str]]) -> str:
    """The whole page of entries of any shape: each subject a section, `lines` are those of one entry."""
    contents = "\n".join(f"- [{subject}](#{_anchor(subject)})" for subject in subjects)
    sections = (_section(subject, entries, lines) for subject, entries in subjects.items())
    return "\n".join([head, contents, "", *sections])


def _anchor(heading: str) -> str:
    """As GitHub makes it of a heading."""
    return "".join(char for char in heading.lower().replace(" ", "-") if char.isalnum() or char in "-_")


def _section(subject: str, entries: Sequence[T], lines: Callable[[T], Iterable[str]]) -> str:
    return "\n".join([f"## {subject}", "", *(line for entry in entries for line in lines(entry))])


def _lines(entry: Entry, note: str) -> Iterator[str]:
    yield f'<a id="{entry.code}"></a>'
    yield ""
    yield f"### {entry.title}: `{entry.code}`"
    yield ""
    if note:
        yield note
        yield ""
    yield f"- **What happened**: {entry.what_happened}"
    yield f"- **What it means**: {entry.what_it_means}"
    yield f"- **What to do**: {entry.what_to_do}"
    yield ""
