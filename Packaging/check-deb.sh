#!/bin/bash
# Looks at a built package as its user would: check-deb.sh PACKAGE.deb
#
# Unpacks it into a folder and runs what is in it: the signer with a vault of its own, manual page, completions, unit. What the machine
# lacks for a check (man, zsh, fish, systemd-analyze, lintian) is named and left out. Needs no root and installs nothing.
set -eu -o pipefail
package=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "deb: $*" >&2; exit 1; }
has() { command -v "$1" >/dev/null || { skipped+=("$1"); return 1; }; }
skipped=()

dpkg-deb -x "$package" "$folder/root"
cd "$folder"

# Files: root's, for everybody to read, for nobody else to write, none that gives rights away.
dpkg-deb -c "$package" | awk '$2 != "root/root" || $1 ~ /[sStT]/ || substr($1, 6, 1) == "w" || substr($1, 9, 1) == "w"' >odd
[ ! -s odd ] || fail "odd owners or rights: $(cat odd)"

# The program, from where it was unpacked, with nothing of this machine's home.
export HOME=$folder/home
mkdir -m 700 "$HOME"
holdfast() { env -i PATH=/usr/bin:/bin HOME="$HOME" LC_ALL=C.UTF-8 SWIFT_BACKTRACE=enable=no "$folder/root/usr/bin/holdfast" "$@"; }
version=$(dpkg-deb -f "$package" Version)
[ "$(holdfast --version)" = "holdfast $version" ] || fail "the program is of another version than $version"
(umask 077; echo "a passphrase to try the package" >passphrase)
vault=(--home "$folder/vault" --passphrase-file "$folder/passphrase" --json)
holdfast init "${vault[@]}" --kdf-memory 19 >init.json </dev/null
holdfast identity create alice "${vault[@]}" >identity.json </dev/null
holdfast sign "${vault[@]}" <<<'{"kind":1,"content":"packed","tags":[]}' >signed.json
grep -q '"sig":"[0-9a-f]\{128\}"' signed.json || fail "the unpacked program does not sign"

# The manual page and the completions.
manual=root/usr/share/man/man1/holdfast.1.gz
if has man; then
  MANROFFSEQ='' MANWIDTH=100 LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -T -Z "$manual" 2>man-errors >/dev/null || true
  [ ! -s man-errors ] || fail "the manual page: $(head -3 man-errors)"
fi
bash -n root/usr/share/bash-completion/completions/holdfast
if has zsh; then zsh -n root/usr/share/zsh/site-functions/_holdfast; fi
if has fish; then fish -n root/usr/share/fish/vendor_completions.d/holdfast.fish; fi

# The unit, with the program where it lies now.
if has systemd-analyze; then
  sed "s|/usr/bin/holdfast|$folder/root/usr/bin/holdfast|" root/usr/lib/systemd/user/holdfast.service >holdfast.service
  XDG_RUNTIME_DIR=$folder systemd-analyze verify --user --man=no ./holdfast.service >verified 2>&1 || fail "the unit: $(cat verified)"
  ! grep -q "holdfast.service" verified || fail "the unit: $(cat verified)"
  exposure=$(systemd-analyze security --offline=true --no-pager ./holdfast.service 2>/dev/null | sed -n 's/.*exposure level.*: \([0-9.]*\).*/\1/p')
fi

# Libraries that are looked for by name while it runs: the package of each is at least recommended.
named=$({ dpkg-deb -f "$package" Depends; echo ,; dpkg-deb -f "$package" Recommends; } | tr ',' '\n' | awk '{ print $1 }')
PATH=$PATH:/sbin ldconfig -p >libraries
for library in $(strings -n 6 root/usr/bin/holdfast | grep -oE '^lib[a-z0-9+-]+(-[0-9.]+)?\.so(\.[0-9]+)?$' | sort -u); do
  path=$(awk -v name="$library" '$1 == name && !found++ { print $NF }' libraries)
  [ -n "$path" ] || continue
  owner=$(dpkg-query -S "$path" 2>/dev/null || dpkg-query -S "$(realpath "$path")" 2>/dev/null || true)
  owner=$(head -1 <<<"$owner" | cut -d: -f1)
  # A package for building is not for running; what libsecret needs comes with it; a TPM of software is for tests.
  case $owner in '' | *-dev | libc6 | libglib2.0-0 | libtss2-tcti-swtpm0) continue ;; esac
  grep -qxF "$owner" <<<"$named" || fail "$library is looked for, but $owner is neither needed nor recommended"
done

if has lintian; then
  lintian --allow-root --fail-on error,warning "$package" >lint 2>&1 || fail "lintian: $(cat lint)"
fi
echo "deb: unpacked and run${exposure:+, exposure of the unit $exposure}${skipped[*]:+, not checked because these are missing: ${skipped[*]}}"
