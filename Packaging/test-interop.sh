#!/bin/bash
# Runs interop tests against a built daemon: test-interop.sh LOG BINARY [ARGUMENTS OF PYTEST]
#
# With HOLDFAST_TEST_SECONDS=N no test begins after N seconds: those are named as skipped, and what failed until then counts.
set -eu -o pipefail
log=$1
binary=$2
shift 2
mkdir -p "$(dirname "$log")"
status=0
HOLDFAST_BINARY=$(realpath "$binary") .venv/bin/python -m pytest interop -q -ra --durations=25 "$@" >"$log" 2>&1 </dev/null || status=$?
if [ "$status" != 0 ]; then
  echo "the interop tests failed (the whole output is in $log):" >&2
  tail -60 "$log"
else
  tail -5 "$log"
fi
exit "$status"
