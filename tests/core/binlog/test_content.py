"""Content: the same in every log that holds a transaction, whatever its server's settings, and in no other's."""

from __future__ import annotations

import pytest

from backend.core.binlog.content import PARTS, ContentsDigest, are_same, difference, is_same
from backend.core.binlog.events import LogEvent, RowImages
from backend.core.binlog.groups import read_groups

Part = tuple[str, int, str]
TRIGGER = "INSERT INTO tg VALUES (10,'x'),(11,'yy')"
CASCADE = "DELETE FROM par WHERE id=1"
MULTI = "UPDATE m1 a, m2 b SET a.v=a.v+1, b.v=b.v+1 WHERE a.id=b.id"


def content(
    *parts: Part, server_id: int = 13, row_images: RowImages = RowImages.FULL, end: Part = ("Xid", 31, "COMMIT")
) -> str:
    """Of one group with these events between its first and its last."""
    at, events = 256, []
    for kind, size, info in (("Gtid", 42, "BEGIN GTID 0-13-7"), *parts, end):
        events.append(LogEvent("binlog.000001", at, kind, server_id, at + size, info))
        at += size
    (group,) = read_groups(events, row_images=row_images)
    return group.content


def text(statement: str) -> Part:
    """The statement, as binlog_annotate_row_events logs it."""
    return "Annotate_rows", 23 + len(statement), statement


def maps(*tables: str, first_id: int = 30, size: int = 48) -> list[Part]:
    """Table maps; a table that is mapped twice keeps its number."""
    numbers = {name: first_id + sum(map(ord, name)) for name in tables}
    return [("Table_map", size, f"table_id: {numbers[name]} (bank.{name})") for name in tables]


def rows(kind: str, table: str, size: int, *, first_id: int = 30, is_last: bool = True) -> Part:
    """A row event of one of them."""
    return kind, size, f"table_id: {first_id + sum(map(ord, table))}{' flags: STMT_END_F' if is_last else ''}"


def trigger(order: tuple[str, ...], *, first_id: int = 30, map_size: int = 48) -> list[Part]:
    """An insert into tg whose trigger writes tlog, as two nodes of 10.11.19 logged it."""
    mapped = maps(*order, first_id=first_id, size=map_size)
    one = rows("Write_rows_v1", "tg", 41, first_id=first_id, is_last=False)
    other = rows("Write_rows_v1", "tlog", 42, first_id=first_id)
    return [text(TRIGGER), *mapped, one, other]


def test_content__trigger_logged_anew__same() -> None:
    written, relogged = trigger(("tg", "tlog")), trigger(("tlog", "tg"), first_id=77)
    assert content(*written) == content(*relogged)


def test_content__cascade_whose_child_is_mapped_once_more__same() -> None:
    one = [text(CASCADE), *maps("par", "chi"), rows("Delete_rows_v1", "par", 38)]
    other = [text(CASCADE), *maps("chi", "par", "chi", first_id=60), rows("Delete_rows_v1", "par", 38, first_id=60)]
    assert content(*one) == content(*other)


def test_content__myisam_on_the_writer_and_on_the_replica__same() -> None:
    """COMMIT ends it where a client wrote it, a Xid on the replica; REPLICATE_MYISAM leaves no text (10.11.19)."""
    parts = update(51, kind="Write_rows_v1")
    written, replicated = content(*parts, end=("Query", 70, "COMMIT")), content(*parts[1:], end=("Query", 70, "COMMIT"))
    assert content(*parts) == written
    assert is_same(replicated, content(*parts))


def test_content__several_tables_updated__which_row_is_whose_counts() -> None:
    def updated(first: str, second: str, *order: str) -> str:
        changes = [rows("Update_rows_v1", first, 88, is_last=False), rows("Update_rows_v1", second, 88)]
        return content(text(MULTI), *maps(*order), *changes)

    assert updated("m1", "m2", "m1", "m2") == updated("m1", "m2", "m2", "m1")
    assert updated("m1", "m2", "m1", "m2") != updated("m2", "m1", "m1", "m2")


def test_content__binlog_row_metadata_full__same() -> None:
    assert content(*trigger(("tg", "tlog"))) == content(*trigger(("tg", "tlog"), map_size=64))


def test_content__without_checksums__same() -> None:
    short = [(kind, size - 4, info) for kind, size, info in trigger(("tg", "tlog"))]
    assert content(*trigger(("tg", "tlog"))) == content(*short, end=("Xid", 27, "COMMIT"))


def update(
    size: int, *, kind: str = "Update_rows_v1", table: str = "m1", statement: str = "UPDATE m1 SET v=2"
) -> list[Part]:
    """An update of one row."""
    return [*([text(statement)] if statement else []), *maps(table), rows(kind, table, size)]


def test_is_same__row_images_not_whole__sizes_are_not_compared() -> None:
    full, minimal = content(*update(1056)), content(*update(550), row_images=RowImages.PARTIAL)
    assert full != minimal
    assert is_same(full, minimal)
    assert not is_same(full, content(*update(550)))


def test_is_same__more_events_for_the_same_statement_where_images_are_whole__same() -> None:
    parts = [rows("Update_rows_v1", "m1", 8_200, is_last=False), rows("Update_rows_v1", "m1", 900)]
    split = content(text("UPDATE m1"), *maps("m1"), *parts)
    assert is_same(split, content(text("UPDATE m1"), *maps("m1"), parts[-1], row_images=RowImages.PARTIAL))


def test_is_same__compressed_on_one_node__sizes_are_not_compared_and_all_else_is() -> None:
    compressed = content(*update(70, kind="Update_rows_compressed_v1"))
    assert is_same(content(*update(1056)), compressed)
    assert is_same(content(*update(70, kind="Update_rows_compressed_v1")), compressed)
    assert is_same(content(*update(71, kind="Update_rows_compressed_v1")), compressed)
    assert not is_same(content(*update(1056, table="m2")), compressed)


def test_is_same__text_dropped_by_one_side__all_else_is_compared() -> None:
    with_text, silent = content(*update(88)), content(*update(88, statement=""))
    assert is_same(with_text, silent)
    assert not is_same(with_text, content(*update(88, statement="UPDATE m1 SET v=3")))
    assert not is_same(with_text, content(*update(89, statement="")))


@pytest.mark.parametrize(
    ("part", "other"),
    [
        (0, content(*update(88), server_id=12)),
        (0, content(*update(88, kind="Write_rows_v1"))),
        (0, content(*update(88, table="m2"))),
        (0, content(*update(88), end=("Query", 70, "ROLLBACK"))),
        (1, content(*update(88, statement="UPDATE m1 SET v=3"))),
        (2, content(*update(89))),
    ],
)
def test_difference__names_the_part(part: int, other: str) -> None:
    assert difference(content(*update(88)), other) == PARTS[part]
    assert not difference(other, other)


def test_difference__digest_of_an_earlier_release__another() -> None:
    assert difference(content(*update(88)), "9f" * 32)


def test_are_same__as_many_and_each() -> None:
    one, other = content(*update(88)), content(*update(89))
    assert are_same([one, other], (one, other))
    assert not are_same([one, other], [other, one])
    assert not are_same([one], [one, one])
    assert are_same([], [])


def test_contents_digest__a_part_that_one_group_does_not_tell__left_out_and_the_rest_compared() -> None:
    def digest_of(*contents: str) -> ContentsDigest:
        digest = ContentsDigest()
        for content in contents:
            digest.add(content)
        return digest

    whole = digest_of("w1.t1.u1", "w2.t2.u2")
    assert whole.is_same(digest_of("w1.t1.u1", "w2.t2.u2"))
    assert whole.is_same(digest_of("w1.-.u1", "w2.t2.-")), "neither texts nor sizes are told throughout"
    assert whole.is_same(digest_of("w1.t1.c", "w2.t2.c")), "sizes of compressed rows do not compare"
    assert not whole.is_same(digest_of("w1.t1.u1", "w2.t9.u2"))
    assert not whole.is_same(digest_of("w1.-.-", "w9.-.-"))
    assert not whole.is_same(digest_of("w1.t1.u1"))


def test_content__release_without_generated_columns__its_sizes_compared_with_its_own_kind_alone() -> None:
    """Seen: 52 bytes for an UPDATE on 11.8.9 and 84 on 10.11.19, of a table with generated columns."""
    newer, older = content(*update(52), row_images=RowImages.WITHOUT_GENERATED), content(*update(84))
    assert newer.rpartition(".")[2].startswith("g")
    assert is_same(newer, older)
    assert is_same(older, newer)
    assert not is_same(newer, content(*update(53), row_images=RowImages.WITHOUT_GENERATED))
    digests = [ContentsDigest() for _ in range(3)]
    for digest, one in zip(digests, (newer, older, content(*update(85))), strict=True):
        digest.add(one)
    assert digests[0].is_same(digests[1])
    assert not digests[1].is_same(digests[2])


def test_content__release_without_generated_columns__rows_that_were_inserted_compare_with_any() -> None:
    parts = (text("INSERT m1"), *maps("m1"), ("Write_rows_v1", 84, "table_id: 30 flags: STMT_END_F"))
    smaller = (*parts[:-1], ("Write_rows_v1", 80, "table_id: 30 flags: STMT_END_F"))
    assert is_same(content(*parts, row_images=RowImages.WITHOUT_GENERATED), content(*parts))
    assert not is_same(content(*smaller, row_images=RowImages.WITHOUT_GENERATED), content(*parts))
