#!/bin/bash
# Measures Holdfast beside plain C over the same libraries and ends with lines "name: value unit".
# run.sh [quick] [engine|log|shares|threshold|requests|memory|approvals|wake|push|vanity]…   quick: a tenth of the work; parts: all of them when none is named.
set -eu -o pipefail
cd "$(dirname "$0")"

export QUICK=0
if [ "${1:-}" = quick ]; then
  QUICK=1
  shift
fi
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(engine log shares threshold requests memory approvals wake push vanity)

. scripts/common.sh
scripts/build.sh
: >"$FIGURES"
for part in "${parts[@]}"; do
  echo "== $part"
  "scripts/$part.sh"
done
echo
cat "$FIGURES"
