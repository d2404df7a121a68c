#!/bin/bash
# The audit log: CPU time of an append, of checking 100,000 entries (beside a C loop that only hashes the same bytes), of a proof.
set -eu -o pipefail
. scripts/common.sh

rounds=9 count=100000
[ "$QUICK" = 0 ] || rounds=3 count=10000
folder=$BUILT/log turns=$BUILT/log-turns
rm -rf "$folder"
figure "audit log append" "$(calc %.2f "$("$LOGBENCH" append $count "$folder")")" us
: >"$turns"
for ((round = 0; round < rounds; round++)); do
  c=$("$BUILT/hash_log" "$folder/audit.log")
  hashes=$("$LOGBENCH" verify $count "$folder")
  opened=$("$LOGBENCH" open $count "$folder")
  echo "$hashes $opened $c $(calc %.4f "$hashes / $c") $(calc %.4f "$opened / $c") $("$LOGBENCH" prove 1 "$folder")" >>"$turns"
done
figure "audit log verify $count entries" "$(calc %.0f "$(median "$turns" 1)")" ms
figure "audit log verify $count entries, each opened" "$(calc %.0f "$(median "$turns" 2)")" ms
figure "audit log hashing alone, C" "$(calc %.0f "$(median "$turns" 3)")" ms
figure "audit log verify/C ratio" "$(calc %.2f "$(median "$turns" 4)")"
figure "audit log verify and open/C ratio" "$(calc %.2f "$(median "$turns" 5)")"
figure "audit log proof of one in $count" "$(calc %.0f "$(median "$turns" 6)")" ms
if command -v valgrind >/dev/null; then
  counted() {
    rm -rf "$folder"
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$LOGBENCH" append "$1" "$folder" 2>&1 >/dev/null | awk '/Collected/ { print $NF }'
  }
  short=$(counted 1026)
  long=$(counted 6156)
  figure "audit log append instructions" "$(calc %.0f "($long - $short) / 5130")" instructions
fi
