#!/bin/bash
# Builds holdfast-wake, which is over in a few milliseconds, so that little of them goes to the loader.
#
# The libraries are linked in, but for OpenSSL. With the linker's options in Package.swift that takes a third of the start's CPU time and 3 MiB
# off.
set -eu -o pipefail
cd "$(dirname "$0")/.."
. Packaging/static-libraries.sh
static_libraries .build/static
exec ${SWIFT:-swift} build -c release --static-swift-stdlib --disable-local-rpath --product holdfast-wake
