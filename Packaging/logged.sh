#!/bin/bash
# Runs a build with its full output in a log: logged.sh LOG COMMAND…
# Prints the errors when it fails, one line when it does not.
set -eu -o pipefail
log=$1
shift
mkdir -p "$(dirname "$log")"
start=$SECONDS
if "$@" >"$log" 2>&1 </dev/null; then
  echo "$(tail -1 "$log") ($((SECONDS - start)) s)"
else
  status=$?
  grep -E '(error|warning):' "$log" | sort -u | head -40 >&2 || true
  tail -15 "$log" >&2
  echo "failed: $* (the whole output is in $log)" >&2
  exit "$status"
fi
