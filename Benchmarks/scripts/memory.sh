#!/bin/bash
# Start-up time and resident memory of the daemon, from /proc: idle with nobody paired, then with many pairings.
set -eu -o pipefail
. scripts/common.sh
. scripts/daemon.sh

pairings=1000
[ "$QUICK" = 0 ] || pairings=100
RELAY=
trap 'stop $DAEMON $RELAY' EXIT

resident() { awk '/^VmRSS:/ { printf "%.1f", $2 / 1024 }' "/proc/$DAEMON/status"; }
# Readable by root only: the daemon is not dumpable.
proportional() { awk '/^Pss:/ { printf "%.1f", $2 / 1024 }' "/proc/$DAEMON/smaps_rollup" 2>/dev/null || true; }

memory() { # memory NAME
  local share
  figure "$1" "$(resident)" MiB
  share=$(proportional)
  [ -z "$share" ] || figure "$1 (PSS)" "$share" MiB
}

home=$(new_home home-memory)
: >"$BUILT/starts"
for _ in 1 2 3; do
  start_daemon "$home" --listen 127.0.0.1:$((RELAY_PORT + 1))
  echo "$STARTED_IN" >>"$BUILT/starts"
  [ "$(wc -l <"$BUILT/starts")" = 3 ] || stop "$DAEMON"
done
figure "start to ready" "$(median "$BUILT/starts")" ms
sleep 3  # what the first unlock needed is given back within a moment
memory "idle memory"
new_links 1 >"$BUILT/links.memory"
"$BUILT/load" "$BUILT/links.memory" 1 500 >/dev/null
sleep 1
memory "memory after 500 requests of one app"

# The embedded relay bounds the connections of one address: a thousand clients at once come by the C relay.
stop "$DAEMON"
start_relay
start_daemon "$home" --listen 127.0.0.1:$((RELAY_PORT + 1)) --relay "ws://127.0.0.1:$RELAY_PORT"
new_links $pairings >"$BUILT/links.memory"
"$BUILT/load" "$BUILT/links.memory" $pairings 0
sleep 1
memory "memory with $pairings pairings"
