#!/bin/bash
# Builds two Debian packages from built programs: deb.sh BINARY OUTPUT_FOLDER
#
# holdfast has the signer and holdfast-wake, holdfast-push the proxy for a server. BINARY is holdfast; the others are beside it.
set -eu -o pipefail
cd "$(dirname "$0")/.."
binary=$1
beside=$(dirname "$binary")
output=$2
version=$("$binary" --version | awk '{ print $2 }')
architecture=$(dpkg --print-architecture)
# The commit's time, so that the same commit gives the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
umask 022
mkdir -p "$output"

# add PACKAGE PROGRAM: a program and its manual page
add() {
  local stage=$folder/$1
  install -Dm755 "$beside/$2" "$stage/usr/bin/$2"
  install -d "$stage/usr/share/man/man1"
  "$beside/$2" --manual | gzip -9n >"$stage/usr/share/man/man1/$2.1.gz"
}

# needed STAGE: the packages that hold the libraries its programs ask for, with commas between them
needed() {
  local program library path owner
  for program in "$1"/usr/bin/*; do
    for library in $(objdump -p "$program" | awk '$1 == "NEEDED" { print $2 }'); do
      path=$(ldd "$program" | awk -v name="$library" '$1 == name { print $3 }')
      [ -n "$path" ] || continue
      owner=$(dpkg-query -S "$path" 2>/dev/null || dpkg-query -S "$(realpath "$path")" 2>/dev/null || dpkg-query -S "*/$library" 2>/dev/null || true)
      [ -z "$owner" ] || head -1 <<<"$owner" | cut -d: -f1
    done
  done | sort -u | paste -sd, | sed 's/,/, /g'
}

# pack PACKAGE FIELDS: makes the package of what is staged; FIELDS are those of control that differ
pack() {
  local name=$1 stage=$folder/$1 package=$output/$1_${version}_$architecture.deb depends
  chmod 755 "$stage"
  strip --strip-unneeded "$stage"/usr/bin/*
  install -Dm644 LICENSE "$stage/usr/share/doc/$name/copyright"
  {
    echo "$name ($version) stable; urgency=medium"
    echo
    echo "  * See CHANGELOG.md of this version."
    echo
    echo " -- Holdfast maintainers <maintainers@holdfast.invalid>  $(date -Ru -d "@$SOURCE_DATE_EPOCH")"
  } | gzip -9n >"$stage/usr/share/doc/$name/changelog.gz"
  depends=$(needed "$stage")
  mkdir "$stage/DEBIAN"
  {
    echo "Package: $name"
    echo "Version: $version"
    echo "Architecture: $architecture"
    echo "Maintainer: Holdfast maintainers <maintainers@holdfast.invalid>"
    echo "Installed-Size: $(du -sk --exclude=DEBIAN "$stage" | cut -f1)"
    echo "Depends: $depends"
    echo "Section: net"
    echo "Priority: optional"
    echo "$2"
  } >"$stage/DEBIAN/control"
  (cd "$stage" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  [ ! -d "$stage/etc" ] || (cd "$stage" && find etc -type f -printf '/%p\n' | sort >DEBIAN/conffiles)
  dpkg-deb --root-owner-group -Zxz --build "$stage" "$package" >/dev/null
  echo "deb: $package, needs $depends"
}

# holds PACKAGE FILE…: what must be in it
holds() {
  local package=$output/$1_${version}_$architecture.deb contents file
  shift
  contents=$(dpkg-deb -c "$package" | awk '{ print $6 }')
  for file in "$@"; do
    grep -qx "./$file" <<<"$contents" || { echo "deb: $file is missing from $package" >&2; exit 1; }
  done
}

Packaging/install.sh "$binary" "$folder/holdfast" /usr
add holdfast holdfast-wake
install -m644 docs/WAKE.md "$folder/holdfast/usr/share/doc/holdfast/"
install -Dm644 -t "$folder/holdfast/usr/lib/systemd/system" Packaging/holdfast-wake@.socket Packaging/holdfast-wake@.service
pack holdfast "Recommends: ca-certificates, libargon2-1, libcurl4, libp11-kit0, libpam0g, libsecret-1-0, libsystemd0, libtss2-esys-3.0.2-0, libtss2-mu0, libtss2-tcti-device0
Suggests: xdg-utils
Description: remote signer for Nostr apps
 Holdfast keeps a person's Nostr keys in one encrypted vault and signs from
 there. Apps pair once by a bunker:// or nostrconnect:// link (NIP-46), ask for
 signatures, and never see a key; the owner's rules answer, and every decision
 is recorded."
holds holdfast usr/bin/holdfast usr/bin/holdfast-wake usr/share/man/man1/holdfast.1.gz usr/share/man/man1/holdfast-wake.1.gz \
  usr/lib/systemd/system/holdfast-wake@.socket usr/lib/systemd/system/holdfast-wake@.service \
  usr/lib/systemd/user/holdfast.service usr/share/dbus-1/services/org.holdfast.Signer1.service usr/share/doc/holdfast/copyright \
  usr/share/bash-completion/completions/holdfast usr/share/zsh/site-functions/_holdfast usr/share/fish/vendor_completions.d/holdfast.fish

add holdfast-push holdfast-push
install -Dm644 -t "$folder/holdfast-push/usr/lib/systemd/system" Packaging/holdfast-push.service
install -Dm644 -t "$folder/holdfast-push/usr/share/doc/holdfast-push" docs/PUSH-PROXY.md docs/SELF-HOSTING.md
install -Dm600 -t "$folder/holdfast-push/etc" Packaging/holdfast-push.conf
pack holdfast-push "Recommends: ca-certificates, libcurl4
Suggests: libpq5
Description: wakes remote signers that sleep, by a push
 Signers on phones and on machines that sleep register their device with this
 server. It watches relays for requests to their keys (NIP-46), and sends each a
 push by Apple's service, Web Push or UnifiedPush. It reads no request, because
 requests are encrypted."
holds holdfast-push usr/bin/holdfast-push usr/share/man/man1/holdfast-push.1.gz usr/lib/systemd/system/holdfast-push.service \
  etc/holdfast-push.conf usr/share/doc/holdfast-push/PUSH-PROXY.md usr/share/doc/holdfast-push/SELF-HOSTING.md
