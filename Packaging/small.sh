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
${SWIFT:-swift} build -c release --static-swift-stdlib --disable-local-rpath --product "$product" "$@"
# One call of a standard function such as replacing(_:with:) brings it in, which is a megabyte. Sources/Encodings/TextSearch.swift has others.
symbols=$(nm ".build/release/$product")
if grep -q 17_StringProcessing <<<"$symbols"; then
  echo "small: $product has the library of regular expressions in it" >&2
  exit 1
fi
