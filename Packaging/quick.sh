#!/bin/bash
# Formats, builds and tests what changed: quick.sh [COMMIT]
#
# What changed is what differs from COMMIT (HEAD when none is given: what is not committed yet), and files that git does not know.
# Swift files are formatted, the whole package is built for debugging, and the unit tests of the modules that changed run. Python and
# JavaScript are linted. The tests of modules that use a changed one are not run, nor any test against the real program: that is
# what `make test` is for.
set -eu -o pipefail
cd "$(dirname "$0")/.."
since=${1:-HEAD}
swift=${SWIFT:-swift}
start=$SECONDS

mapfile -t changed < <({ git diff --name-only --diff-filter=d "$since" && git ls-files --others --exclude-standard; } | sort -u)
removed=$(git diff --name-only --diff-filter=D "$since")
if [ ${#changed[@]} = 0 ] && [ -z "$removed" ]; then
  echo "quick: nothing changed since $since"
  exit 0
fi

# The changed files whose names match a pattern.
of_kind() { printf '%s\n' "${changed[@]}" | grep -E "$1" || true; }

mapfile -t sources < <(of_kind '\.swift$')
[ ${#sources[@]} = 0 ] || "$swift" format -i -p "${sources[@]}"
Packaging/lint.sh "$(of_kind '\.(py|js|html|json)$')"
[ -z "$(of_kind '^(docs/|README|CONTRIBUTING)|\.md$')" ] || python3 docs/check-docs.py

# The test targets of changed modules; `holdfast` and the like have none of their own name.
modules=$({ printf '%s\n' "${changed[@]}" && echo "$removed"; } | sed -nE 's#^Sources/([^/]+)/.*#\1Tests#p; s#^Tests/([^/]+Tests)/.*#\1#p' | sort -u)
tests=() without=()
for tests_of in $modules; do
  if [ -d "Tests/$tests_of" ]; then tests+=("$tests_of"); else without+=("${tests_of%Tests}"); fi
done
[ ${#without[@]} = 0 ] || echo "quick: no unit tests of their own: ${without[*]}"
if [ -z "$modules" ] && [ -z "$(of_kind '^(Package.swift|Web/|Examples/|Tests/)')" ]; then
  echo "quick: nothing to build ($((SECONDS - start)) s)"
  exit 0
fi

Packaging/logged.sh .build/logs/quick-build.log "$swift" build --build-tests
if [ ${#tests[@]} -gt 0 ]; then
  echo "quick: ${tests[*]}"
  Packaging/test-swift.sh .build/logs/quick.log "$swift" test --skip-build --filter "^($(IFS='|'; echo "${tests[*]}"))\\."
fi
echo "quick: done ($((SECONDS - start)) s)"
