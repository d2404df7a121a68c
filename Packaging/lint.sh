#!/bin/bash
# Lints what is not Swift, and the rules that a compiler does not know: lint.sh [FILES]
#
# Without FILES everything is read. With FILES, a list in one argument, only those of Python are, and the console when one of its files is
# among them: for `make quick`, where the two linters may be missing, too.
set -eu -o pipefail
cd "$(dirname "$0")/.."
ruff=.venv/bin/ruff
oxlint=.venv/bin/oxlint

lint_web() {
  if [ -x "$oxlint" ]; then "$oxlint" --quiet -c Web/oxlint.json Web >/dev/null || "$oxlint" -c Web/oxlint.json -f unix Web; fi
  python3 Web/check.py
  python3 Web/signer_sentences.py --check
  python3 Web/catalogue.py --check
}

if [ $# -gt 0 ]; then
  mapfile -t python < <(grep '\.py$' <<<"$1" || true)
  if [ ${#python[@]} -gt 0 ] && [ -x "$ruff" ]; then
    "$ruff" format --quiet "${python[@]}"
    "$ruff" check --quiet --output-format concise "${python[@]}"
  fi
  if grep -q '^Web/' <<<"$1"; then lint_web; fi
  exit 0
fi

for linter in "$ruff" "$oxlint"; do
  [ -x "$linter" ] || { echo "lint: $linter is missing: run 'make deps'" >&2; exit 1; }
done
"$ruff" check --quiet --output-format concise .
"$ruff" format --quiet --check . || { echo "lint: run 'make format'" >&2; exit 1; }
lint_web
Packaging/imports.sh
Packaging/dependencies.py
if grep -rnE --include='*.swift' 'nonisolated\(unsafe\)|@unchecked Sendable' Sources Tests | grep -v //; then
  echo "lint: say on the line why no two threads come in each other's way" >&2
  exit 1
fi
Tests/check-titles.py
Packaging/subjects.sh
echo "lint: clean"
