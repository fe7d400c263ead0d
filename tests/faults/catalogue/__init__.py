"""All faults of the catalogue, in its order."""

from tests.faults.catalogue import parts_a, parts_b, parts_c, parts_d
from tests.faults.catalogue.model import Row

ROWS: tuple[Row, ...] = (*parts_a.ROWS, *parts_b.ROWS, *parts_c.ROWS, *parts_d.ROWS)
