#!/bin/bash
# Runs the Swift tests of some rooms under a sanitizer: sanitized.sh thread|address ROOM,ROOM…
#
# Any report fails. Left out is what a sanitizer's own memory makes impossible: searches of core files and of this process's memory,
# how much a flood may take, and PAM's wrapper, which wants to be loaded first, too.
set -eu -o pipefail
cd "$(dirname "$0")/.."
sanitizer=$1
export HOLDFAST_ROOMS=$2 SWIFT_BACKTRACE=enable=no
export TSAN_OPTIONS="exitcode=66 halt_on_error=0" ASAN_OPTIONS="exitcode=66 detect_leaks=0"
swift=${SWIFT:-swift}
common=(--sanitize="$sanitizer" --scratch-path ".build-$sanitizer")
log=.build/logs/$sanitizer.log
Packaging/logged.sh ".build/logs/$sanitizer-build.log" "$swift" build --build-tests "${common[@]}"

skipped=(CoreFile MemoryTests WipingTests Wiped SilenceTests ProcessHardening BoundedMemory GateTests)
status=0
Packaging/test-swift.sh "$log" "$swift" test --skip-build "${common[@]}" "${skipped[@]/#/--skip=}" || status=$?
reports=$(grep -acE '^WARNING: ThreadSanitizer|ERROR: AddressSanitizer' "$log" || true)
echo "$sanitizer sanitizer: $reports reports${reports:+ in $log}"
[ "$reports" = 0 ] || exit 1
exit "$status"
