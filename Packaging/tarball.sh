#!/bin/bash
# Packs the portable programs with all that belongs to them: tarball.sh PORTABLE OUTPUT_FOLDER
#
# PORTABLE is the folder that portable.sh made. The same build of the same commit gives the same bytes: names are sorted, dates are the
# commit's, and all files are root's. OUTPUT_FOLDER gets the archive, its SBOM and SHA256SUMS.
set -eu -o pipefail
cd "$(dirname "$0")/.."
portable=$1
output=$2
binary=$portable/holdfast
version=$("$binary" --version | awk '{ print $2 }')
name=holdfast-$version-linux-$(uname -m)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
umask 022
stage=$folder/$name
Packaging/install.sh "$binary" "$stage" ""
install -Dm644 -t "$stage/lib/holdfast" "$portable"/lib/*
for program in holdfast-wake holdfast-push; do
  install -m755 "$portable/$program" "$stage/bin/$program"
  "$portable/$program" --manual | gzip -9n >"$stage/share/man/man1/$program.1.gz"
done
documents=$stage/share/doc/holdfast
install -m644 LICENSE docs/WAKE.md docs/PUSH-PROXY.md "$documents/"
sed "s/@NAME@/$name/g" Packaging/INSTALL.md >"$documents/INSTALL.md"
# Wherever it is unpacked, one unit fits: systemd looks for the program in these folders.
unit=$stage/share/systemd/user/holdfast.service
sed -i 's|^ExecStart=/bin/holdfast |ExecSearchPath=%h/.local/bin:/usr/local/bin:/usr/bin\nExecStart=holdfast |' "$unit"
# The bus has no such search, so it leaves the start to systemd.
sed -i 's|^Exec=.*|Exec=/bin/false|' "$stage/share/dbus-1/services/org.holdfast.Signer1.service"
mkdir -p "$output"
python3 Packaging/sbom.py "$portable" --bundled "$portable"/lib/* --licences "$documents/licences" \
  >"$output/$name.cdx.json"
install -m644 "$output/$name.cdx.json" "$documents/sbom.cdx.json"

find "$stage" -type d -exec chmod 755 {} +
tar --create --directory "$folder" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
  --format=gnu "$name" | gzip -9n >"$output/$name.tar.gz"
(cd "$output" && sha256sum "$name.tar.gz" "$name.cdx.json" >SHA256SUMS)
echo "tarball: $output/$name.tar.gz, $(($(stat -c %s "$output/$name.tar.gz") / 1000000)) MB"
