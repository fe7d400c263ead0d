"""Serializes a list of orphans as plain JSON and back, exactly: bytes as hexadecimal, identified by column kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from backend.core.orphans.model import (
    Column,
    Operation,
    OrphanTransaction,
    RowChange,
    RowImage,
    TableShape,
    TransactionKind,
    Value,
    ValueKind,
)
from backend.core.orphans.schema_change import change_from_json
from backend.core.positions import FilePosition

_PYTHON_CHARSETS = {
    "utf8mb4": "utf-8", "utf8mb3": "utf-8", "utf8": "utf-8", "ascii": "ascii", "latin1": "cp1252",
    "ucs2": "utf-16-be", "utf16": "utf-16-be", "utf16le": "utf-16-le", "utf32": "utf-32-be", "sjis": "shift_jis",
    "cp932": "cp932", "ujis": "euc_jp", "gbk": "gbk", "gb2312": "gb2312", "big5": "big5", "euckr": "euc_kr",
    "latin2": "iso8859-2", "koi8r": "koi8_r", "cp1250": "cp1250", "cp1251": "cp1251", "greek": "iso8859-7",
    "hebrew": "iso8859-8",
}  # fmt: skip


def shape_to_json(shape: TableShape) -> dict[str, Any]:
    """A table's definition."""
    return asdict(shape)


def shape_from_json(data: Mapping[str, Any]) -> TableShape:
    """Inverse of `shape_to_json`."""
    return TableShape(
        data["schema"],
        data["table"],
        tuple(Column(**column) for column in data["columns"]),
        tuple(tuple(key) for key in data["keys"]),
        tuple(data["refusals"]),
        data.get("version", 0),
    )


def rows_to_json(transaction: OrphanTransaction) -> list[dict[str, Any]]:
    """The rows of one transaction."""
    return [
        {
            "schema": row.schema,
            "table": row.table,
            "operation": row.operation.value,
            "before": image_to_json(row.before),
            "after": image_to_json(row.after),
            **({"version": row.version} if row.version else {}),
        }
        for row in transaction.rows
    ]


def image_to_json(image: RowImage | None) -> list[Any] | None:
    """One row's column values."""
    if image is None:
        return None
    return [{"x": cell.hex()} if isinstance(cell, bytes) else cell for cell in image]


def image_from_json(values: list[Any] | None) -> RowImage | None:
    """Inverse of `image_to_json`."""
    if values is None:
        return None
    return tuple(bytes.fromhex(value["x"]) if isinstance(value, dict) else value for value in values)


def transaction_to_json(transaction: OrphanTransaction) -> dict[str, Any]:
    """One orphan with its rows."""
    return {
        **{name: getattr(transaction, name) for name in ("index", "server_id", "gtid", "seqno", "at_s", "content")},
        "begin": str(transaction.begin),
        "end": str(transaction.end),
        "kind": transaction.kind.value,
        "statement": transaction.statement,
        "refusal": transaction.refusal,
        "change": transaction.change.to_json() if transaction.change else None,
        "is_void": transaction.is_void,
        "rows": rows_to_json(transaction),
    }


def transaction_from_json(data: Mapping[str, Any]) -> OrphanTransaction:
    """Inverse of `transaction_to_json`."""
    rows = tuple(
        RowChange(
            row["schema"],
            row["table"],
            Operation(row["operation"]),
            image_from_json(row["before"]),
            image_from_json(row["after"]),
            row.get("version", 0),
        )
        for row in data["rows"]
    )
    return OrphanTransaction(
        **{name: data[name] for name in ("index", "server_id", "gtid", "seqno", "at_s", "content")},
        begin=FilePosition.parse(data["begin"]),
        end=FilePosition.parse(data["end"]),
        kind=TransactionKind(data["kind"]),
        statement=data["statement"],
        refusal=data["refusal"],
        rows=rows,
        change=change_from_json(data.get("change")),
        is_void=data.get("is_void", False),
    )


def shown_row(row: Mapping[str, Any], shape: TableShape | None) -> dict[str, Any]:
    """A stored row for display: values by column name, texts readable, bytes as 0x..."""
    return {
        **{name: row[name] for name in ("schema", "table", "operation")},
        "before": shown_image(image_from_json(row["before"]), shape) if shape else None,
        "after": shown_image(image_from_json(row["after"]), shape) if shape else None,
    }


def shown_cell(column: Column, cell: Value) -> int | str | None:
    """A value for display; integers too long for a browser are text."""
    if isinstance(cell, bytes):
        return _shown_bytes(column, cell)
    if isinstance(cell, int) and abs(cell) >= 2**53:
        return str(cell)
    return cell


def _shown_bytes(column: Column, cell: bytes) -> str:
    if column.kind is ValueKind.TEXT:
        try:
            return cell.decode(_PYTHON_CHARSETS[column.charset or ""])
        except (KeyError, UnicodeDecodeError):
            pass
    return f"0x{cell.hex()}"


def shown_image(image: RowImage | None, shape: TableShape) -> dict[str, object] | None:
    """A row for display, by column; None where there is none. What the server computes is left out."""
    if image is None:
        return None
    pairs = zip(shape.columns, image, strict=True)
    return {column.name: shown_cell(column, cell) for column, cell in pairs if not shape.is_derived(column)}
