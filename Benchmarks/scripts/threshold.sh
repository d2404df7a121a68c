#!/bin/bash
# Threshold signing, one member's and the coordinator's work, beside a C loop that only does the multiplications.
set -eu -o pipefail
. scripts/common.sh

rounds=15 count=500
[ "$QUICK" = 0 ] || rounds=5 count=200
for group in "2 3" "3 5" "15 20"; do
  set -- $group
  for part in member aggregate; do
    turns=$BUILT/threshold-turns
    : >"$turns"
    for ((round = 0; round < rounds; round++)); do
      read -r c multiplications < <("$BUILT/threshold" $part "$1" $count)
      ours=$("$THRESHOLDBENCH" $part "$1" "$2" $count)
      echo "$ours $c $(calc %.4f "$ours / $c")" >>"$turns"
    done
    figure "threshold $part, $1 of $2" "$(calc %.0f "$(median "$turns" 1)")" us
    figure "threshold $part/C ratio, $1 of $2" "$(calc %.2f "$(median "$turns" 3)")"
    figure "threshold $part, $1 of $2, multiplications in C" "$multiplications"
  done
done
for part in generate secret; do
  figure "threshold $part, 2 of 3" "$(calc %.0f "$("$THRESHOLDBENCH" $part 2 3 $count)")" us
done
