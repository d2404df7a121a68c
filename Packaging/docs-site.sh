#!/bin/bash
# Makes the library's pages with DocC: docs-site.sh BUILD OUTPUT, where BUILD is a debug build of the package (its folder with `Modules`).
# A link that leads nowhere, or to a symbol that is gone, is a failure.
set -eu -o pipefail
build=$1
output=$2
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
rm -rf "$output"
mkdir -p "$output"
flags=()
for room in Sources/C*/; do
  if [ -f "$room/module.modulemap" ]; then flags+=(-I "$room"); fi
done
for flag in $(pkg-config --cflags libsecret-1 p11-kit-1 libsodium sqlite3); do flags+=(-Xcc "$flag"); done
docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc
for room in Vault Unlocking; do
  mkdir "$graphs/$room"
  swift symbolgraph-extract -module-name "$room" -target "$(uname -m)-unknown-linux-gnu" -I "$build/Modules" "${flags[@]}" \
    -skip-inherited-docs -output-dir "$graphs/$room"
  "$docc" convert "Sources/$room/$room.docc" --fallback-display-name "$room" --fallback-bundle-identifier "holdfast.$room" \
    --additional-symbol-graph-dir "$graphs/$room" --output-dir "$output/$room" >"$graphs/$room.log" 2>&1 || {
    cat "$graphs/$room.log" >&2
    exit 1
  }
  # The house documents the parameters that need it, so that is no fault.
  if grep -E '^(warning|error):' "$graphs/$room.log" | grep -vE "^warning: (Parameter|External name) '"; then
    echo "docs-site: the pages of $room have faults" >&2
    exit 1
  fi
done
echo "docs-site: $output, $(find "$output" -name '*.json' | wc -l) pages"
