#!/bin/bash
# Runs the Swift tests of some modules under a sanitizer: sanitized.sh thread|address MODULE,MODULE…
#
# Any report fails. Left out is what a sanitizer's own memory makes impossible: searches of core files and of this process's memory,
# how much a flood may take, and PAM's wrapper, which wants to be loaded first, too.
#
# HOLDFAST_SANITIZED_SECONDS=N ends it after N seconds, build included. That is said, and what ran until then counts.
set -eu -o pipefail
cd "$(dirname "$0")/.."
sanitizer=$1
export HOLDFAST_MODULES=$2 SWIFT_BACKTRACE=enable=no
export TSAN_OPTIONS="exitcode=66 halt_on_error=0" ASAN_OPTIONS="exitcode=66 detect_leaks=0"
swift=${SWIFT:-swift}
common=(--sanitize="$sanitizer" --scratch-path ".build-$sanitizer")
log=.build/logs/$sanitizer.log
limit=${HOLDFAST_SANITIZED_SECONDS:-86400}
status=0
Packaging/logged.sh ".build/logs/$sanitizer-build.log" timeout "$limit" "$swift" build --build-tests "${common[@]}" || status=$?
if [ "$status" = 124 ]; then
  echo "$sanitizer sanitizer: not even built in $limit s; run it alone"
  exit 0
fi
[ "$status" = 0 ] || exit "$status"

skipped=(CoreFile MemoryTests IsInMemory WipingTests Wiped SilenceTests ProcessHardening BoundedMemory PAMCheckTests)
left=$((limit > SECONDS ? limit - SECONDS : 1))
Packaging/test-swift.sh "$log" timeout --kill-after=10 "$left" "$swift" test --skip-build "${common[@]}" "${skipped[@]/#/--skip=}" || status=$?
reports=$(grep -acE '^WARNING: ThreadSanitizer|ERROR: AddressSanitizer' "$log" || true)
echo "$sanitizer sanitizer: $reports reports${reports:+ in $log}"
[ "$reports" = 0 ] || exit 1
if [ "$status" = 124 ]; then
  echo "$sanitizer sanitizer: stopped after $limit s, when $(grep -acE '^✔ Test .* passed' "$log" || true) tests had passed; run it alone"
  if grep -aqE '^✘' "$log"; then exit 1; fi
  exit 0
fi
exit "$status"
