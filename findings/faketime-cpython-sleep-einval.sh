#!/usr/bin/env bash
# libfaketime 0.9.10 (Debian 12: 0.9.10-2.1) and CPython 3.11: its documented way to shift the wall clock alone,
# FAKETIME_DONT_FAKE_MONOTONIC=1, is expected to leave sleeping as it is. But every `time.sleep` fails at once with
# "Invalid argument" (EINVAL), though nothing but the wall clock should have moved: since 3.11 CPython sleeps until an
# absolute time of the monotonic clock. A relative sleep (coreutils) ends as it should. So a suite of Python cannot be
# run at another date this way.
# Seen: the date is the wanted one; /bin/sleep ends with 0; time.sleep(0.1) raises OSError 22 after less than its time.
set -euo pipefail
version=0.9.10-2.1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"
apt-get -qq download "libfaketime=$version" 2>/dev/null || { apt-get -qq update && apt-get -qq download "libfaketime=$version"; }
dpkg -x libfaketime_*.deb root
library=$(find root -name 'libfaketime.so.1' | head -n 1)

shifted() {
  env LD_PRELOAD="$folder/$library" FAKETIME="@2031-12-31 23:59:40" FAKETIME_DONT_FAKE_MONOTONIC=1 "$@"
}

echo "libfaketime $version, $(/usr/bin/python3.11 --version)"
year=$(shifted date +%Y)
shifted sleep 0.1 && sleep_ended=0 || sleep_ended=$?
cat >nap.py <<'PYTHON'
import time

try:
    time.sleep(0.1)
except OSError as error:
    print(f"OSError {error.errno}")
else:
    print("slept")
PYTHON
napped=$(shifted /usr/bin/python3.11 nap.py)
plain=$(/usr/bin/python3.11 nap.py)
echo "year $year, coreutils sleep ended with $sleep_ended, time.sleep: $napped, without libfaketime: $plain"
[ "$year" = 2031 ] && [ "$sleep_ended" = 0 ] && [ "$napped" = "OSError 22" ] && [ "$plain" = slept ] ||
  { echo "the behaviour has changed"; exit 1; }
