#!/bin/bash
# Builds libwebsockets with AddressSanitizer from Debian's source package of the installed version: build-libwebsockets.sh FOLDER
#
# Leaves FOLDER/lib/libwebsockets_sanitized.a, FOLDER/include and FOLDER/pkgconfig/libwebsockets.pc. Done once for each version of the library and
# of the compiler. The options are Debian's, less the event loops that Holdfast does not use; like Debian's, the build keeps assertions.
# Needs one of Debian's mirrors, as /etc/apt names them; apt checks the signatures. Neither root nor a change of /etc/apt is needed.
set -eu -o pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd)
# The runtime of the sanitizer is the Swift toolchain's: its own clang fits.
clang=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/clang
[ -x "$clang" ] || clang=$(command -v clang)
version=$(dpkg-query -W -f '${source:Version}' libwebsockets-dev)
stamp="$version $("$clang" --version | head -1)"
mkdir -p "$folder/lib" "$folder/pkgconfig"
cat > "$folder/pkgconfig/libwebsockets.pc" <<PC
Name: libwebsockets
Description: libwebsockets with AddressSanitizer
Version: ${version%%-*}
Libs: -L$folder/lib -lwebsockets_sanitized -lz -lcap
Cflags: -I$folder/include
PC
made="libwebsockets $version with AddressSanitizer"
if [ -f "$folder/stamp" ] && [ "$(cat "$folder/stamp")" = "$stamp" ]; then
  echo "$made"
  exit
fi

work=$folder/work
rm -rf "$work" "$folder/stamp"
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/build"

# Debian's own places among those that apt knows, as places of source packages.
for file in /etc/apt/sources.list.d/*.sources; do
  [ -f "$file" ] || continue
  awk 'BEGIN { RS = ""; ORS = "\n\n" } /URIs:[^\n]*\/debian/ { sub(/Types:[^\n]*/, "Types: deb-src"); print }' "$file"
done > "$work/debian.sources"
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ -f "$file" ] || continue
  sed -nE 's/^deb(-src)?[[:space:]](.*\/debian.*)/deb-src \2/p' "$file"
done | sort -u > "$work/debian.list"
mkdir "$work/parts"
if [ -s "$work/debian.sources" ]; then mv "$work/debian.sources" "$work/parts"; fi
apt=(apt-get -q -o "Dir::Etc::sourcelist=$work/debian.list" -o "Dir::Etc::sourceparts=$work/parts" -o "Dir::State::lists=$work/lists"
  -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
cd "$work"
"${apt[@]}" update
"${apt[@]}" source --download-only "libwebsockets=$version"
dpkg-source --no-check -x libwebsockets_*.dsc source

cd build
cmake ../source -DCMAKE_BUILD_TYPE=None -DCMAKE_C_COMPILER="$clang" \
  -DCMAKE_C_FLAGS="-g -O1 -fsanitize=address -fno-omit-frame-pointer -fno-strict-aliasing -w" \
  -DLWS_WITH_SHARED=OFF -DLWS_WITH_STATIC=ON -DLWS_WITHOUT_DAEMONIZE=OFF -DLWS_UNIX_SOCK=ON -DLWS_IPV6=ON -DLWS_WITH_ZLIB=ON \
  -DLWS_WITHOUT_EXTENSIONS=OFF -DLWS_WITHOUT_TESTAPPS=ON -DLWS_WITH_MINIMAL_EXAMPLES=OFF
make -j"$(nproc)"
cp lib/libwebsockets.a "$folder/lib/libwebsockets_sanitized.a"
rm -rf "$folder/include"
cp -rL include "$folder/include"
rm -rf "$work"
echo "$stamp" > "$folder/stamp"
echo "$made"
