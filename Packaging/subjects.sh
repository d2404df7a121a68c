#!/bin/bash
# Checks the subjects of commits: subjects.sh [RANGE]
#
# The form is `module: imperative, at most 72 characters`, the module in small letters, the first word after it too. Without RANGE
# ("origin/main..") the last 20 commits are read, or as many as a shallow clone has. Merges are left out, as is a folder without git.
#
# As a hook, so that a commit with another subject is not made at all:
#   printf '#!/bin/sh\nexec Packaging/subjects.sh --message "$1"\n' > .git/hooks/commit-msg && chmod +x .git/hooks/commit-msg
set -eu -o pipefail
cd "$(dirname "$0")/.."

# Lines "NAME SUBJECT"; prints what is wrong with each that has another form.
check() {
  local name subject fault status=0
  while read -r name subject; do
    fault=
    [[ "$subject" =~ ^[a-z][a-z0-9\ /,-]*:\ [^\ A-Z] ]] || fault="not 'module: what it does', in small letters"
    [[ ! "$subject" =~ ^[^:]*:\ ([a-z]*(ed|ing))\  ]] || is_imperative "${BASH_REMATCH[1]}" || fault="'${BASH_REMATCH[1]}' is not an imperative"
    [[ ! "$subject" =~ \.$ ]] || fault="ends with a full stop"
    [[ ! "${subject,,}" =~ (^|[^a-z])(wip|fixup!|squash!)([^a-z]|$) ]] || fault="is not finished"
    [ ${#subject} -le 72 ] || fault="${#subject} characters, 72 at most"
    [ -z "$fault" ] || { echo "$name '$subject': $fault" >&2; status=1; }
  done
  return "$status"
}

# Verbs that end as a past or a progressive form does.
is_imperative() {
  case $1 in
    embed | feed | need | seed | shed | speed | bring | cling | ping | spring | string | wring) return 0 ;;
    *) return 1 ;;
  esac
}

if [ "${1:-}" = --message ]; then
  { printf 'commit '; grep -m1 -v '^#' "$2"; } | check
  exit
fi
git rev-parse --git-dir >/dev/null 2>&1 || exit 0
git log --no-merges --format='%h %s' ${1:+"$1"} -n "$([ $# -gt 0 ] && echo 1000 || echo 20)" | check
