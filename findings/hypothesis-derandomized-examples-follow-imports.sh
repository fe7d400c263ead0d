#!/usr/bin/env bash
# Hypothesis 6.170.15, CPython 3.11: `derandomize=True` with no example database is expected to try the same examples of
# a property in every run. It does only as long as the same modules are loaded: integers, strings and floats are also
# drawn from the literals of whatever local modules were imported before. A module that the property never uses changes
# the examples, and so does a literal changed anywhere in the project, or another order of tests.
# Seen: 300 integers twice the same without the module, twice the same with it, the two lists different, and the
# module's only literal among the examples of the second.
set -euo pipefail
version=6.170.15
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv env
env/bin/pip -q --disable-pip-version-check install "hypothesis==$version"

cat >probe.py <<'PYTHON'
import sys

from hypothesis import given, settings, strategies

seen = []


@settings(derandomize=True, database=None, max_examples=300)
@given(strategies.integers())
def collect(number):
    seen.append(number)


if "beside" in sys.argv:
    import prices  # nothing of it is used
collect()
print(int("48611977") in seen, *seen)  # no literal of this file
PYTHON
echo "DEAREST = 48_611_977" >prices.py

alone=$(env/bin/python probe.py)
again=$(env/bin/python probe.py)
beside=$(env/bin/python probe.py beside)
beside_again=$(env/bin/python probe.py beside)
echo "hypothesis $version"
echo "alone, twice the same: $([ "$alone" = "$again" ] && echo yes || echo no)"
echo "beside an unused module, twice the same: $([ "$beside" = "$beside_again" ] && echo yes || echo no)"
echo "alone as beside the module: $([ "$alone" = "$beside" ] && echo yes || echo no)"
echo "the module's literal is tried: alone ${alone%% *}, beside it ${beside%% *}"
[ "$alone" = "$again" ] && [ "$beside" = "$beside_again" ] && [ "$alone" != "$beside" ] &&
  [ "${beside%% *}" = True ] || { echo "the behaviour has changed"; exit 1; }
