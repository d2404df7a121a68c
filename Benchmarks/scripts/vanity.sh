#!/bin/bash
# Keys tried in a second of one core's time, beside a C loop that makes key pairs; in turns.
set -eu -o pipefail
. scripts/common.sh

rounds=9 seconds=2
[ "$QUICK" = 0 ] || rounds=3 seconds=1
turns=$BUILT/vanity-turns
: >"$turns"
for ((round = 0; round < rounds; round++)); do
  c=$("$BUILT/create_keys" 1)
  one=$("$VANITYBENCH" $seconds 1)
  all=$("$VANITYBENCH" $seconds "$(nproc)")
  end=$("$VANITYBENCH" $seconds 1 end)
  echo "$one $all $c $(calc %.4f "$one / $c") $end" >>"$turns"
done
figure "vanity keys per second and core" "$(calc %.1f "$(median "$turns" 1) / 1e6")" million
figure "vanity keys per second and core, all cores at work" "$(calc %.1f "$(median "$turns" 2) / 1e6")" million
figure "vanity keys per second and core, end of an npub" "$(calc %.1f "$(median "$turns" 5) / 1e6")" million
figure "keys per second and core, C loop of keypair_create" "$(calc %.0f "$(median "$turns" 3)")"
figure "vanity/C ratio" "$(calc %.0f "$(median "$turns" 4)")"
