#!/bin/bash
# Requests a second and delays through a relay, with 1, 8 and 64 clients: Holdfast and the C signer take turns behind the same
# small C relay, then Holdfast alone behind its embedded one.
set -eu -o pipefail
. scripts/common.sh
. scripts/daemon.sh

rounds=5 many=8000 few=2000  # `few` with one client
[ "$QUICK" = 0 ] || rounds=2 many=3000 few=1000
relay=ws://127.0.0.1:$RELAY_PORT
RELAY= running=()
trap 'stop $RELAY "${running[@]}"' EXIT

start_c_signer() {
  rm -f "$BUILT/signer.fifo"
  mkfifo "$BUILT/signer.fifo"
  "$BUILT/signer" "$relay" only-for-benchmarks >"$BUILT/signer.fifo" &
  C_SIGNER=$!
  running+=("$C_SIGNER")
  first_line "$BUILT/signer.fifo" >"$BUILT/links.C"
}

# Links are single-use: each run of Holdfast takes fresh ones.
measure() { # measure WHO CLIENTS REQUESTS
  local pid=$DAEMON
  if [ "$1" = C ]; then pid=$C_SIGNER; else new_links "$2" >"$BUILT/links.$1"; fi
  SIGNER_PID=$pid "$BUILT/load" "$BUILT/links.$1" "$2" "$3" >>"$BUILT/load.$1.$2"
}

report() { # report WHO "NAME" CLIENTS
  local file=$BUILT/load.$1.$3 noun=clients
  [ "$3" != 1 ] || noun=client
  figure "requests per second, $3 $noun$2" "$(calc %.0f "$(median "$file" 1)")" 1/s
  figure "p50, $3 $noun$2" "$(calc %.2f "$(median "$file" 2)")" ms
  figure "p99, $3 $noun$2" "$(calc %.2f "$(median "$file" 3)")" ms
  figure "CPU per request, $3 $noun$2" "$(calc %.0f "$(median "$file" 4)")" us
}

# With one client, the disk rests between two requests for about as long as the rest of a request takes.
pause=300
one_sync=$("$BUILT/sync" "$BUILT/sync.bytes" $pause)
figure "one sync, $pause us after the last" "$one_sync" ms
figure "one sync, right after the last" "$("$BUILT/sync" "$BUILT/sync.bytes" 0)" ms
start_relay
start_c_signer
home=$(new_home home-requests)
start_daemon "$home" --listen 127.0.0.1:0 --relay "$relay" --no-embedded-relay
running+=("$DAEMON")

for clients in 1 8 64; do
  noun=clients requests=$many
  [ $clients != 1 ] || noun=client requests=$few
  rm -f "$BUILT/load.holdfast.$clients" "$BUILT/load.C.$clients"
  for ((round = 0; round < rounds; round++)); do
    measure holdfast $clients $requests
    measure C $clients $requests
  done
  paste -d ' ' "$BUILT/load.holdfast.$clients" "$BUILT/load.C.$clients" >"$BUILT/load.both.$clients"
  report holdfast "" $clients
  report C ", C signer" $clients
  awk '{ print $1 / $5, $2 / $6, $4 / $8 }' "$BUILT/load.both.$clients" >"$BUILT/load.ratio.$clients"
  figure "signer/C requests per second ratio, $clients $noun" "$(calc %.2f "$(median "$BUILT/load.ratio.$clients" 1)")"
  figure "signer/C p50 ratio, $clients $noun" "$(calc %.2f "$(median "$BUILT/load.ratio.$clients" 2)")"
  [ $clients != 1 ] || figure "(signer - sync)/C p50 ratio, 1 client" "$(calc %.2f "($(median "$BUILT/load.holdfast.1" 2) - $one_sync) / $(median "$BUILT/load.C.1" 2)")"
  figure "signer/C CPU per request ratio, $clients $noun" "$(calc %.2f "$(median "$BUILT/load.ratio.$clients" 3)")"
done
stop $RELAY "${running[@]}"
RELAY= running=()

home=$(new_home home-embedded)
start_daemon "$home" --listen 127.0.0.1:$((RELAY_PORT + 1))
running+=("$DAEMON")
for clients in 1 8 64; do
  rm -f "$BUILT/load.embedded.$clients"
  for ((round = 0; round < rounds; round++)); do measure embedded $clients $((clients == 1 ? few : many)); done
  report embedded ", embedded relay" $clients
done
