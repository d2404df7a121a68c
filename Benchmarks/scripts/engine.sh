#!/bin/bash
# CPU time and instructions of one sign_event request, relay text to relay text: the engine and the C loop take turns over the same
# input. Every turn is a process of its own, so that nothing is seen twice.
set -eu -o pipefail
. scripts/common.sh

rounds=20 count=2000 instructions=1000
[ "$QUICK" = 0 ] || rounds=5 count=1000 instructions=400
warm=200 input=$BUILT/input.txt turns=$BUILT/turns

"$BUILT/generate" "$input" $((warm + count)) 64
: >"$turns"
for ((round = 0; round < rounds; round++)); do
  # Whoever comes first in one round comes second in the next.
  if ((round % 2)); then
    c=$("$BUILT/sign_event" "$input" $warm $count)
    engine=$("$ENGINE" "$input" $warm $count)
  else
    engine=$("$ENGINE" "$input" $warm $count)
    c=$("$BUILT/sign_event" "$input" $warm $count)
  fi
  echo "$engine $c $(calc %.4f "$engine / $c")" >>"$turns"
done
figure "sign_event engine" "$(calc %.1f "$(median "$turns" 1)")" us
figure "sign_event C" "$(calc %.1f "$(median "$turns" 2)")" us
figure "sign_event engine/C ratio" "$(calc %.2f "$(median "$turns" 3)")"

# Instructions of COUNT requests, by the difference of two runs.
counted() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null | awk '/Collected/ { print $NF }'
}
per_request() {
  local short long
  short=$(counted "$1" "$input" $warm 0)
  long=$(counted "$1" "$input" $warm $instructions)
  calc %.0f "($long - $short) / $instructions"
}
if command -v valgrind >/dev/null; then
  engine=$(per_request "$ENGINE")
  c=$(per_request "$BUILT/sign_event")
  figure "sign_event engine instructions" "$engine" instructions
  figure "sign_event C instructions" "$c" instructions
  figure "sign_event engine/C instructions ratio" "$(calc %.2f "$engine / $c")"
fi
