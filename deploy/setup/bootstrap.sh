#!/usr/bin/env bash
# Installs whatever the demo and the tests miss on Debian 12; does next to nothing when nothing is missing.
# Needs python3.11, node >= 20.19 and npm; root or sudo only where Debian packages are missing.
# usage: deploy/setup/bootstrap.sh [--quiet] [--no-node]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
here=$(pwd)
quiet=0 with_node=1
for option in "$@"; do
  case $option in
    --quiet) quiet=1 ;;
    --no-node) with_node=0 ;;
    *) echo "bootstrap: unknown option $option" >&2; exit 2 ;;
  esac
done

say() { [ "$quiet" = 1 ] || printf 'bootstrap: %s\n' "$*"; }
fail() { printf 'bootstrap: %s\n' "$*" >&2; exit 1; }
# Mirrors stumble; an install that is merely unlucky must not end the whole run.
retry() {
  local attempt
  for attempt in 1 2 3; do
    "$@" && return 0
    [ "$attempt" = 3 ] || { say "attempt $attempt failed: $1; trying again"; sleep $((attempt * 3)); }
  done
  return 1
}
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

mkdir -p .cache
exec 9>.cache/bootstrap.lock
flock 9 # two at once (a test run and a demo) would tear each other's node_modules

missing_packages() {
  # `a|b`: a is installed unless one of both is there.
  sed 's/#.*//' deploy/setup/packages.txt | awk 'NF {print $1}' | while read -r names; do
    dpkg-query -W -f='${db:Status-Abbrev}\n' ${names//|/ } 2>/dev/null | grep -q '^ii' || printf '%s\n' "${names%%|*}"
  done
}

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600 \
    install -y --no-install-recommends "$@" >.cache/apt.log 2>&1 9>&-
}
apt_refresh_and_install() {
  as_root apt-get -q -o DPkg::Lock::Timeout=600 update >.cache/apt-update.log 2>&1 9>&-
  apt_install "$@"
}

install_packages() {
  local missing policy=/usr/sbin/policy-rc.d own_policy=0 name
  command -v dpkg-query >/dev/null || { say "not a Debian machine: expecting the programs to be there"; return; }
  mapfile -t missing < <(missing_packages)
  [ "${#missing[@]}" -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
    fail "needs root or sudo to install: ${missing[*]}"
  say "installing Debian packages: ${missing[*]}"
  # Installing a server must not start it: the lab and the tests run their own, on their own ports.
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
    own_policy=1
  fi
  local outcome=0
  apt_install "${missing[@]}" || retry apt_refresh_and_install "${missing[@]}" || outcome=$?
  [ "$own_policy" = 0 ] || as_root rm -f "$policy"
  [ "$outcome" = 0 ] || { tail -n 20 .cache/apt.log >&2; fail "apt-get could not install: ${missing[*]}"; }
  # Only services that came with this very run: one that was here before belongs to the owner.
  for name in "${missing[@]}"; do
    case $name in
      mariadb-server) as_root systemctl disable --quiet mariadb 2>/dev/null || say "mariadb: no service to disable" ;;
      docker.io) as_root systemctl disable --quiet docker.service docker.socket containerd 2>/dev/null ||
        say "docker: no service to disable" ;;
      prometheus) as_root systemctl disable --quiet prometheus 2>/dev/null || say "prometheus: no service to disable" ;;
      slapd) as_root systemctl disable --quiet slapd 2>/dev/null || say "slapd: no service to disable" ;;
      nginx-light) as_root systemctl disable --quiet nginx 2>/dev/null || say "nginx: no service to disable" ;;
      haproxy) as_root systemctl disable --quiet haproxy 2>/dev/null || say "haproxy: no service to disable" ;;
      redis-server) as_root systemctl disable --quiet redis-server 2>/dev/null || say "redis: no service to disable" ;;
    esac
  done
}

# Debian's own first: it is built with PGO and LTO; tests of the core take a seventh less of a processor with it.
find_python() {
  local candidate
  for candidate in /usr/bin/python3.11 python3.11 python3; do
    command -v "$candidate" >/dev/null || continue
    "$candidate" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null || continue
    "$candidate" -c 'import sys; print(sys.executable)'
    return 0
  done
  fail "no python3.11 with ensurepip found"
}

install_python() {
  local python stamp
  python=$(find_python)
  # The path is part of the stamp: an environment copied with its folder points back at the old one.
  stamp="$here $python $(cat requirements.txt requirements-dev.txt | sha256sum | cut -c1-64)"
  if [ -x .venv/bin/python ] && [ "$(cat .venv/.hawser-stamp 2>/dev/null)" = "$stamp" ]; then return 0; fi
  if [[ "$(cat .venv/.hawser-stamp 2>/dev/null)" != "$here $python "* ]]; then
    say "creating .venv with $python"
    "$python" -m venv --clear .venv
  fi
  say "installing Python packages"
  retry .venv/bin/python -m pip install --quiet --disable-pip-version-check --use-pep517 --require-hashes \
    -r requirements.txt -r requirements-dev.txt 9>&- || fail "pip could not install the locked packages"
  printf '%s\n' "$stamp" >.venv/.hawser-stamp
}

npm_ci() { npm ci --prefer-offline --no-audit --no-fund --loglevel=error >.cache/npm.log 2>&1 9>&-; }

install_node() {
  local stamp
  command -v npm >/dev/null || fail "node >= 20.19 with npm is needed to build the console"
  stamp="$(node --version) $(sha256sum package-lock.json | cut -c1-64)"
  [ "$(cat node_modules/.hawser-stamp 2>/dev/null)" != "$stamp" ] || return 0
  say "installing Node packages"
  retry npm_ci || { tail -n 20 .cache/npm.log >&2; fail "npm ci failed"; }
  printf '%s\n' "$stamp" >node_modules/.hawser-stamp
}

# The types of the API, for tsc and editors; the contract they are made from is what is kept and reviewed.
make_client_types() {
  local contract=frontend/src/api/generated/openapi.yaml types=frontend/src/api/generated/schema.ts
  [ "$contract" -nt "$types" ] || return 0
  npm run --silent gen:api >.cache/types.log 2>&1 9>&- || { cat .cache/types.log >&2; fail "no types from $contract"; }
}

started=$SECONDS
install_packages
install_python
[ "$with_node" = 0 ] || { install_node; make_client_types; }
say "ready ($((SECONDS - started)) s)"
