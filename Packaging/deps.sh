#!/bin/bash
# Installs what Holdfast builds and tests with: deps.sh [build]
# With "build", only what building needs. Quick and silent when all of it is there.
set -eu -o pipefail
cd "$(dirname "$0")/.."

# System packages: dpkg knows what is missing; apt is asked only then.
lists=(Packaging/packages.txt)
[ "${1:-}" = build ] || lists+=(Packaging/packages-tests.txt)
missing=()
while read -r package; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done < <(cat "${lists[@]}")

if [ ${#missing[@]} -gt 0 ]; then
  as_root=()
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
      as_root=(sudo)
    else
      echo "Missing system packages: ${missing[*]}" >&2
      echo "Installing them needs root. Run: su -c 'apt-get install ${missing[*]}'" >&2
      exit 1
    fi
  fi
  echo "deps: installing ${missing[*]}"
  install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}")
  "${as_root[@]}" apt-get update -q
  "${install[@]}" </dev/null || {
    echo "apt-get could not install all of: ${missing[*]}. The lines above say why." >&2
    exit 1
  }
fi

if ! command -v "${SWIFT:-swift}" >/dev/null; then
  echo "There is no Swift toolchain on the PATH. Holdfast needs Swift 6.2 or later: https://www.swift.org/install" >&2
  exit 1
fi

[ "${1:-}" != build ] || exit 0

# Python packages for the interop tests and the linters, in a folder of their own; installed again when the lists change.
requirements=(interop/requirements.txt Packaging/requirements.txt)
stamp=.venv/installed
if cat "${requirements[@]}" | cmp -s - "$stamp"; then exit 0; fi
python=python3
"$python" -c 'import venv' 2>/dev/null || python=/usr/bin/python3
echo "deps: Python packages for the interop tests and the linters, in .venv"
[ -x .venv/bin/python ] || "$python" -m venv .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check "${requirements[@]/#/--requirement=}" </dev/null || {
  echo "pip could not install the packages of ${requirements[*]}. The lines above say why." >&2
  exit 1
}
cat "${requirements[@]}" > "$stamp"
