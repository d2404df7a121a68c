#!/bin/bash
# Builds a Debian package from a built holdfast: deb.sh BINARY OUTPUT_FOLDER
set -eu -o pipefail
cd "$(dirname "$0")/.."
binary=$1
output=$2
version=$("$binary" --version | awk '{ print $2 }')
architecture=$(dpkg --print-architecture)
# The commit's time, so that the same commit gives the same package.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
umask 022
chmod 755 "$stage"
Packaging/install.sh "$binary" "$stage" /usr
strip --strip-unneeded "$stage/usr/bin/holdfast"
install -m644 LICENSE "$stage/usr/share/doc/holdfast/copyright"
{
  echo "holdfast ($version) stable; urgency=medium"
  echo
  echo "  * See CHANGELOG.md of this version."
  echo
  echo " -- Holdfast maintainers <maintainers@holdfast.invalid>  $(date -Ru -d "@$SOURCE_DATE_EPOCH")"
} | gzip -9n > "$stage/usr/share/doc/holdfast/changelog.gz"

# The packages that hold the libraries the binary asks for.
libraries=$(objdump -p "$stage/usr/bin/holdfast" | awk '$1 == "NEEDED" { print $2 }')
packages=()
for library in $libraries; do
  path=$(ldd "$binary" | awk -v name="$library" '$1 == name { print $3 }')
  [ -n "$path" ] || continue
  owner=$(dpkg-query -S "$path" 2>/dev/null || dpkg-query -S "$(realpath "$path")" 2>/dev/null || dpkg-query -S "*/$library" 2>/dev/null || true)
  [ -n "$owner" ] && packages+=("$(echo "$owner" | head -1 | cut -d: -f1)")
done
mapfile -t packages < <(printf '%s\n' "${packages[@]}" | sort -u)
depends=$(printf ', %s' "${packages[@]}")

mkdir "$stage/DEBIAN"
cat > "$stage/DEBIAN/control" <<CONTROL
Package: holdfast
Version: $version
Architecture: $architecture
Maintainer: Holdfast maintainers <maintainers@holdfast.invalid>
Installed-Size: $(du -sk --exclude=DEBIAN "$stage" | cut -f1)
Depends: ${depends:2}
Recommends: ca-certificates, libargon2-1, libcurl4, libp11-kit0, libpam0g, libsecret-1-0, libsystemd0, libtss2-esys-3.0.2-0, libtss2-mu0, libtss2-tcti-device0
Suggests: xdg-utils
Section: net
Priority: optional
Description: remote signer for Nostr apps
 Holdfast keeps a person's Nostr keys in one encrypted vault and signs from
 there. Apps pair once by a bunker:// or nostrconnect:// link (NIP-46), ask for
 signatures, and never see a key; the owner's rules answer, and every decision
 is recorded.
CONTROL
(cd "$stage" && find usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums)

package=$output/holdfast_${version}_$architecture.deb
mkdir -p "$output"
dpkg-deb --root-owner-group -Zxz --build "$stage" "$package" >/dev/null

# What must be in it.
contents=$(dpkg-deb -c "$package" | awk '{ print $6 }')
for file in usr/bin/holdfast usr/share/man/man1/holdfast.1.gz usr/lib/systemd/user/holdfast.service usr/share/dbus-1/services/org.holdfast.Signer1.service \
  usr/share/doc/holdfast/copyright \
  usr/share/bash-completion/completions/holdfast usr/share/zsh/site-functions/_holdfast usr/share/fish/vendor_completions.d/holdfast.fish; do
  grep -qx "./$file" <<<"$contents" || { echo "deb: $file is missing from $package" >&2; exit 1; }
done
echo "deb: $package, needs ${depends:2}"
