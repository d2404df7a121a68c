#!/bin/bash
# Builds holdfast-wake, which is over in a few milliseconds, or holdfast-push, of which little stays in memory: small.sh PRODUCT [OPTION…]
#
# The libraries are linked in, but for OpenSSL. With the linker's options in Package.swift that takes a third of a start's CPU time and 3 MiB
# off. The options go to `swift build`.
set -eu -o pipefail
cd "$(dirname "$0")/.."
product=$1
shift
. Packaging/static-libraries.sh
static_libraries .build/static
# Each function is a section of its own (release-options), so that the linker drops those that nothing calls, and puts those first that a run
# calls (order.py).
first="Packaging/$product.order"
order=()
[ ! -f "$first" ] || order=(-Xlinker "--symbol-ordering-file=$PWD/$first" -Xlinker --no-warn-symbol-ordering)
${SWIFT:-swift} build -c release $(cat Packaging/release-options) --static-swift-stdlib --disable-local-rpath -Xlinker --gc-sections \
  ${order[@]+"${order[@]}"} --product "$product" "$@"
# One call of a standard function such as replacing(_:with:) brings it in, which is a megabyte. Sources/Encodings/TextSearch.swift has others.
symbols=$(nm ".build/release/$product")
if grep -q 17_StringProcessing <<<"$symbols"; then
  echo "small: $product has the library of regular expressions in it" >&2
  exit 1
fi
# One use of Swift's concurrency brings it and libdispatch in: a millisecond of a start, and 80 KiB that the loader changes.
if grep -q 'swift_task_create\|_dispatch_queue_attrs' <<<"$symbols"; then
  echo "small: $product has Swift's concurrency in it; Sources/Platform/ThreadLocal.swift and Clock.swift do without" >&2
  exit 1
fi
if [ -f "$first" ] && [ "$(awk '{ print $NF }' <<<"$symbols" | grep -cxFf - "$first")" -lt $(($(wc -l <"$first") / 2)) ]; then
  echo "small: most functions in $first are gone, so $product takes more memory: run Packaging/order.py" >&2
fi
