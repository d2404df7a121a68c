#!/bin/bash
# Runs the Swift tests with their full output in a log: test-swift.sh LOG COMMAND…
# Prints what failed, which suites were left out, and the runner's closing lines.
set -eu -o pipefail
log=$1
shift
# The tests' homes are not for the TPM of the machine they run on; those of the TPM name their own.
export HOLDFAST_TPM=none
mkdir -p "$(dirname "$log")"
status=0
"$@" >"$log" 2>&1 </dev/null || status=$?
grep -E '^skipped, no vectors folder' "$log" | sort -u || true
if [ "$status" = 124 ]; then  # as `timeout` says it
  echo "the time for these tests is over (the output is in $log)"
elif [ "$status" != 0 ]; then
  grep -aE 'error:|recorded an issue|^✘|Fatal error|unexpected signal' "$log" | head -60 >&2 || true
  echo "the Swift tests failed (the whole output is in $log):" >&2
fi
tail -5 "$log"
# A runner that ran nothing, or died before its closing line, is a failure whatever it returned.
if [ "$status" = 0 ] && ! grep -aqE 'Test run with [1-9][0-9]* tests?.* passed' "$log"; then
  echo "no closing line of the test runner in $log" >&2
  status=1
fi
exit "$status"
