"""Settings of a server that show in its binary log: what it says of them, and how its log looks under them."""

from __future__ import annotations

from dataclasses import replace

from backend.core.binlog.events import RowImages
from tests.fakes.cluster import FakeNode


def set_minimal_images(node: FakeNode) -> None:
    """binlog_row_image=MINIMAL: what an applier logs has yet another size than what a client wrote there."""
    node.variables["binlog_row_image"] = "MINIMAL"
    node.log.dress = replace(node.log.dress, row_images=RowImages.PARTIAL)


def set_compression(node: FakeNode) -> None:
    """log_bin_compress=ON."""
    node.variables["log_bin_compress"] = "ON"
    node.log.dress = replace(node.log.dress, compresses=True)


def set_metadata(node: FakeNode) -> None:
    """binlog_row_metadata=FULL: longer table maps."""
    node.log.dress = replace(node.log.dress, map_bytes=90)


def drop_texts(node: FakeNode) -> None:
    """replicate_annotate_row_events=OFF: what its channels bring comes without the statements."""
    node.variables["replicate_annotate_row_events"] = "OFF"


SETTINGS = {
    "minimal": set_minimal_images,
    "compressed": set_compression,
    "metadata": set_metadata,
    "no texts": drop_texts,
}
