#!/bin/bash
# Runs the Swift tests with their full output in a log: test-swift.sh LOG COMMAND…
# Prints what failed, which suites were left out, and the runner's closing lines.
#
# Thousands of tests run at once here, and seconds pass between two lines of one. So at most three failed tests are run once more, in the
# files that recorded the failures and with nothing beside them. What passes then is named: it is a fault of the test, or a race of ours.
set -eu -o pipefail
log=$1
shift
# The tests' homes are not for the TPM of the machine they run on; those of the TPM name their own.
export HOLDFAST_TPM=none
mkdir -p "$(dirname "$log")"
readonly MOST_TRIED_AGAIN=3

# The failed tests of a log, one a line, as the runner names them.
failed() { grep -aoP '^✘ Test \K.*(?= failed after [0-9.]+ seconds)' "$1" | grep -av '^run with ' || true; }

# Whether a run ended with its closing line. A runner that ran nothing, or died before that line, failed whatever it returned.
closed() { grep -aqE 'Test run with [1-9][0-9]* tests?.* passed' "$1"; }

# Whether all failed tests of the log pass in a run of their files.
pass_again() {  # COMMAND…
  local tests files test
  tests=$(failed "$log")
  [ -n "$tests" ] && [ "$(wc -l <<<"$tests")" -le "$MOST_TRIED_AGAIN" ] || return 1
  # A runner that was killed names no test that it had not ended.
  grep -aqE '^✘ Test run with ' "$log" || return 1
  files=$(grep -aoP '^✘ Test .* recorded an issue .*at \K[A-Za-z0-9+_]+\.swift(?=:)' "$log" | sort -u | sed 's/[+.]/\\&/g' | paste -sd '|')
  [ -n "$files" ] || return 1
  echo "trying them again, alone (the first run is in $log)" >&2
  "$@" --filter "/($files):" >"$log.again" 2>&1 </dev/null && closed "$log.again" || return 1
  while read -r test; do grep -aqF "✔ Test $test passed" "$log.again" || return 1; done <<<"$tests"
}

rm -f "$log.again"
status=0
"$@" >"$log" 2>&1 </dev/null || status=$?
grep -E '^skipped, no vectors folder' "$log" | sort -u || true
if [ "$status" = 124 ]; then  # as `timeout` says it
  echo "the time for these tests is over (the output is in $log)"
elif [ "$status" != 0 ]; then
  grep -aE 'error:|recorded an issue|^✘|Fatal error|unexpected signal' "$log" | head -60 >&2 || true
  if pass_again "$@"; then
    echo "passed when run alone, after a failure beside others: see $log" >&2
    tail -1 "$log.again"
    exit 0
  fi
  echo "the Swift tests failed (the whole output is in $log):" >&2
fi
tail -5 "$log"
if [ "$status" = 0 ] && ! closed "$log"; then
  echo "no closing line of the test runner in $log" >&2
  status=1
fi
exit "$status"
