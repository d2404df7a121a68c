#!/bin/bash
# Looks for imports that the modules do without: the C library of one system outside of Platform, and Foundation anywhere in Sources.
# Looks for two ways to write one import, too.
set -eu -o pipefail
cd "$(dirname "$0")/.."
before='^[[:space:]]*(@[a-zA-Z_]+ |public |package |internal |private )*import (struct |func |class |enum |var |let )?'
status=0
if grep -rnE --include='*.swift' "$before(Glibc|Musl|Darwin|Bionic|Android)\b" Sources | grep -v '^Sources/Platform/'; then
  echo "imports: only Sources/Platform imports the C library of a system; import Platform" >&2
  status=1
fi
if grep -rnE --include='*.swift' "$before(Foundation|FoundationEssentials|FoundationNetworking)\b" Sources; then
  echo "imports: nothing in Sources imports Foundation" >&2
  status=1
fi
if grep -rnE --include='*.swift' '^[[:space:]]*internal import ' Sources Tests Fuzz; then
  echo "imports: an import is internal by itself (InternalImportsByDefault in Package.swift); write only: import" >&2
  status=1
fi
exit "$status"
