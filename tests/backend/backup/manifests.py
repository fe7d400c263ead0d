"""What a backup says of itself."""

from __future__ import annotations

from backend.config.backup.manifest import Manifest

MANIFEST = Manifest("0.1.0", "2026-11-27T07:00:00.000000Z", "sqlite", [], (), 7, "0" * 64, (), ())
