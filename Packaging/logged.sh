#!/bin/bash
# Runs a build with its full output in a log: logged.sh LOG COMMAND…
# On a terminal it shows the build's last line while it runs. It prints the errors when the build fails, one line when it does not.
set -eu -o pipefail
log=$1
shift
mkdir -p "$(dirname "$log")"
start=$SECONDS

# The log's last line, once a second, in place.
follow() {
  while sleep 1; do
    printf '\r\033[K%s' "$(tail -n 1 "$log" | cut -c "1-$(($(tput cols 2>/dev/null || echo 80) - 1))")" >&2
  done
}

follower=
if [ -t 2 ]; then
  : >"$log"
  follow &
  follower=$!
else
  echo "building; this can take minutes, and the output is in $log" >&2
fi
status=0
"$@" >"$log" 2>&1 </dev/null || status=$?
if [ -n "$follower" ]; then
  kill "$follower" 2>/dev/null || true
  wait "$follower" 2>/dev/null || true
  printf '\r\033[K' >&2
fi
if [ "$status" = 0 ]; then
  echo "$(tail -1 "$log") ($((SECONDS - start)) s)"
else
  grep -E '(error|warning):' "$log" | sort -u | head -40 >&2 || true
  tail -15 "$log" >&2
  echo "failed: $* (the whole output is in $log)" >&2
  exit "$status"
fi
