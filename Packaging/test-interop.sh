#!/bin/bash
# Runs the interop tests against a built daemon: test-interop.sh LOG BINARY
set -eu -o pipefail
log=$1
binary=$2
mkdir -p "$(dirname "$log")"
if [ ! -f interop/requirements.txt ]; then
  echo "interop: no tests yet"
  exit 0
fi
status=0
HOLDFAST_BINARY=$(realpath "$binary") .venv/bin/python -m pytest interop -q -ra >"$log" 2>&1 </dev/null || status=$?
if [ "$status" != 0 ]; then
  echo "the interop tests failed (the whole output is in $log):" >&2
  tail -60 "$log"
else
  tail -5 "$log"
fi
exit "$status"
