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
for module in Sources/C*/; do
  if [ -f "$module/module.modulemap" ]; then flags+=(-I "$module"); fi
done
for flag in $(pkg-config --cflags libsecret-1 p11-kit-1 libsodium sqlite3); do flags+=(-Xcc "$flag"); done
docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc
for module in Vault Unlocking; do
  mkdir "$graphs/$module"
  swift symbolgraph-extract -module-name "$module" -target "$(uname -m)-unknown-linux-gnu" -I "$build/Modules" "${flags[@]}" \
    -skip-inherited-docs -output-dir "$graphs/$module"
  "$docc" convert "Sources/$module/$module.docc" --fallback-display-name "$module" --fallback-bundle-identifier "holdfast.$module" \
    --additional-symbol-graph-dir "$graphs/$module" --output-dir "$output/$module" >"$graphs/$module.log" 2>&1 || {
    cat "$graphs/$module.log" >&2
    exit 1
  }
  # This project documents only the parameters that need it: a parameter without documentation is no fault.
  if grep -E '^(warning|error):' "$graphs/$module.log" | grep -vE "^warning: (Parameter|External name) '"; then
    echo "docs-site: the pages of $module have faults" >&2
    exit 1
  fi
done
echo "docs-site: $output, $(find "$output" -name '*.json' | wc -l) pages"
