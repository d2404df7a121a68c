#!/bin/bash
# Keeps what the fuzzer learnt: Fuzz/keep.sh FOLDER [TARGET…]
#
# FOLDER is what HOLDFAST_FUZZ_CORPUS named while Fuzz/run.sh ran: an input a file in FOLDER/TARGET/. Of these and the inputs kept before,
# those that reach a branch which neither the seeds nor a smaller input reaches go into Fuzz/Corpus/TARGET.txt.
# Needs a runner that Fuzz/run.sh built.
set -eu -o pipefail
cd "$(dirname "$0")/.."
export SWIFT_BACKTRACE=enable=no SWIFT_DETERMINISTIC_HASHING=1
runner=Fuzz/.build/release/FuzzRunner
[ $# -gt 0 ] && [ -x "$runner" ] || { echo "usage: Fuzz/keep.sh FOLDER [TARGET...], after Fuzz/run.sh" >&2; exit 2; }
learnt=$1
shift
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then mapfile -t targets < <("$runner" -list); fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in "${targets[@]}"; do
  kept=$work/$name.kept merged=$work/$name.merged log=$work/$name.log
  mkdir -p "$merged" "$learnt/$name"
  Fuzz/pack.py unpack "Fuzz/Corpus/$name.txt" "$kept"
  # What the seeds reach need not be kept a second time.
  for folder in "Fuzz/Seeds/$name" "Fuzz/FailCases/$name"; do [ -d "$folder" ] && cp "$folder"/* "$merged/"; done
  ls "$merged" >"$work/seeds"
  HOLDFAST_FUZZ_TARGET=$name "$runner" -merge=1 -use_counters=0 -max_len=1024 -rss_limit_mb=1024 "$merged" "$kept" "$learnt/$name" \
    >"$log" 2>&1 </dev/null || { tail -5 "$log" >&2; exit 1; }
  while read -r seed; do rm -f "$merged/$seed"; done <"$work/seeds"
  Fuzz/pack.py pack "$merged" "Fuzz/Corpus/$name.txt"
done
