#!/bin/bash
# SLIP-39: a kit of three in five, made and put together, beside a C loop that only does the iterations of PBKDF2.
set -eu -o pipefail
. scripts/common.sh

rounds=15 count=200
[ "$QUICK" = 0 ] || rounds=5 count=50
for bytes in 16 32; do
  turns=$BUILT/shares-turns
  : >"$turns"
  for ((round = 0; round < rounds; round++)); do
    c=$("$BUILT/pbkdf2" $count)
    split=$("$SHAREBENCH" split $count $bytes)
    combine=$("$SHAREBENCH" combine $count $bytes)
    echo "$split $combine $c $(calc %.4f "$split / $c") $(calc %.4f "$combine / $c")" >>"$turns"
  done
  figure "shares split $bytes bytes, 3 of 5" "$(calc %.0f "$(median "$turns" 1)")" us
  figure "shares combine $bytes bytes, 3 of 5" "$(calc %.0f "$(median "$turns" 2)")" us
  figure "shares split/C ratio, $bytes bytes" "$(calc %.2f "$(median "$turns" 4)")"
  figure "shares combine/C ratio, $bytes bytes" "$(calc %.2f "$(median "$turns" 5)")"
done
figure "PBKDF2 of a kit alone, C" "$(calc %.0f "$(median "$turns" 3)")" us
