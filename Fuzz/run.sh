#!/bin/bash
# Builds the fuzz targets and runs each of them: Fuzz/run.sh [SECONDS [TARGET…]]
#
# SECONDS per target, 10 when nothing is said; without names all targets, two at a time. A crashing input is kept under
# Fuzz/FailCases/TARGET/ and the exit status is 1. HOLDFAST_FUZZ_ASAN=1 builds with AddressSanitizer as well (slower).
# Each target starts from its seeds and from the inputs in Fuzz/Corpus/TARGET.txt. HOLDFAST_FUZZ_CORPUS=DIR keeps what the fuzzer learns
# in DIR/TARGET/ from run to run; Fuzz/keep.sh takes the best of it into Fuzz/Corpus.
set -eu -o pipefail
cd "$(dirname "$0")/.."
export SWIFT_BACKTRACE=enable=no HOLDFAST_FUZZING=1
# The same input takes the same way every time.
export SWIFT_DETERMINISTIC_HASHING=1

seconds=${1:-10}
[ $# -gt 0 ] && shift
case $seconds in '' | *[!0-9]*) echo "usage: Fuzz/run.sh [SECONDS [TARGET...]]" >&2; exit 2 ;; esac

# Longest input in bytes, memory in MiB and time in seconds for one input: more is a finding.
max_len=4096
rss_limit_mb=1024
timeout=10
# Targets at a time.
lanes=2

scratch=Fuzz/.build
options=(-c release --sanitize fuzzer)
if [ "${HOLDFAST_FUZZ_ASAN:-}" = 1 ]; then
  scratch=Fuzz/.build-asan
  options+=(--sanitize address)
  rss_limit_mb=4096
  export ASAN_OPTIONS=detect_leaks=0
fi
logs=$scratch/logs
mkdir -p "$logs"
Packaging/logged.sh "$logs/build.log" "${SWIFT:-swift}" build --scratch-path "$scratch" "${options[@]}" \
  -Xswiftc -assert-config -Xswiftc Debug --product FuzzRunner
runner=$scratch/release/FuzzRunner

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What libFuzzer prints, in one line: how many inputs, how fast, and how many branches ("cov:") and features ("ft:": branches with how often
# they were taken, and comparisons) were reached, by the inputs it began with and in the end.
summary() {
  awk -v name="$1" '/stat::number_of_executed_units/ { n = $2 } /stat::average_exec_per_sec/ { rate = $2 }
    function after(word, i) { for (i = 1; i < NF; i++) if ($i == word) return $(i + 1); return 0 }
    /^#[0-9]+.* cov: / { branches = after("cov:"); features = after("ft:") } /^#[0-9]+\tINITED/ { first = after("cov:") }
    END { printf "fuzz %s: %d inputs, %d a second; %d branches at first, %d in the end, %d features\n", name, n, rate, first, branches, features }
  ' "$2"
}

run_target() {
  local name=$1 log=$logs/$1.log corpus=$work/$1 found=Fuzz/FailCases/$1
  if [ -n "${HOLDFAST_FUZZ_CORPUS:-}" ]; then corpus=$HOLDFAST_FUZZ_CORPUS/$1; fi
  mkdir -p "$corpus" "$found"
  Fuzz/pack.py unpack "Fuzz/Corpus/$name.txt" "$work/$name.kept"
  local folders=("$corpus" "$work/$name.kept")
  for folder in "Fuzz/Seeds/$name" "$found"; do [ -d "$folder" ] && folders+=("$folder"); done
  local status=0
  # Inputs that take less time are changed more often: more of them in a second, and more branches in a minute.
  HOLDFAST_FUZZ_TARGET=$name "$runner" "${folders[@]}" -max_total_time="$seconds" -max_len=$max_len \
    -rss_limit_mb=$rss_limit_mb -timeout=$timeout -dict=Fuzz/words.dict -artifact_prefix="$found/" \
    -entropic_scale_per_exec_time=1 -print_final_stats=1 >"$log" 2>&1 </dev/null || status=$?
  rmdir --ignore-fail-on-non-empty "$found"
  summary "$name" "$log"
  [ "$status" -eq 0 ] && return
  { grep -aE 'Fatal error|ERROR: |SUMMARY|Test unit written' "$log" || tail -20 "$log"; } | sed "s/^/fuzz $name: /" >&2
  return 1
}

Fuzz/check-stand-in.sh "$runner" .build/release/holdfast
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then mapfile -t targets < <("$runner" -list); fi
[ ${#targets[@]} -gt 0 ] || { echo "fuzz: no targets" >&2; exit 1; }
status=0
running=0
for name in "${targets[@]}"; do
  if [ "$running" -ge "$lanes" ]; then
    wait -n || status=1
    running=$((running - 1))
  fi
  run_target "$name" &
  running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
  wait -n || status=1
  running=$((running - 1))
done
[ "$status" -eq 0 ] && echo "fuzz: ${#targets[@]} targets, nothing found" || echo "fuzz: inputs kept in Fuzz/FailCases" >&2
exit "$status"
