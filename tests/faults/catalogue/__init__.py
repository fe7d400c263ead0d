"""All faults of the catalogue, in its order."""

from tests.faults.catalogue import console, data, nodes, people
from tests.faults.catalogue.model import Row

ROWS: tuple[Row, ...] = (*console.ROWS, *nodes.ROWS, *data.ROWS, *people.ROWS)
