#!/bin/bash
# Runs interop tests against a built daemon: test-interop.sh LOG BINARY [ARGUMENTS OF PYTEST]
#
# With HOLDFAST_TEST_SECONDS=N no test begins after N seconds: those are named as skipped, and what failed until then counts.
#
# Two browsers, a database and a relay on two cores can make a wait of a few seconds too short. So at most eight failed tests are run once
# more, one after another and with nothing beside them. What passes then is named: it is a fault of the test, or a race of ours.
set -eu -o pipefail
log=$1
binary=$2
shift 2
mkdir -p "$(dirname "$log")"
readonly MOST_TRIED_AGAIN=8
# Many tests wait more than they compute.
export PYTEST_XDIST_AUTO_NUM_WORKERS=$(($(nproc) + 1))

run() {  # LOG [ARGUMENTS OF PYTEST]
  local log=$1
  shift
  HOLDFAST_BINARY=$(realpath "$binary") .venv/bin/python -m pytest interop -q -ra --durations=25 "$@" >"$log" 2>&1 </dev/null
}

rm -f "$log.again"
status=0
run "$log" "$@" || status=$?
if [ "$status" = 0 ]; then
  tail -5 "$log"
  exit 0
fi
grep -E '^(FAILED|ERROR) ' "$log" >&2 || true
again=$log.again
failed=$(grep -cE '^(FAILED|ERROR) ' "$log" || true)
if [ "$status" = 1 ] && [ "$failed" -ge 1 ] && [ "$failed" -le "$MOST_TRIED_AGAIN" ]; then
  echo "trying $failed of them again, alone (the first run is in $log)" >&2
  if run "$again" "$@" --last-failed --last-failed-no-failures none -n 0; then
    echo "passed when run alone, after a failure beside others: see $log" >&2
    tail -1 "$again"
    exit 0
  fi
  log=$again
fi
echo "the interop tests failed (the whole output is in $log):" >&2
tail -60 "$log"
exit "$status"
