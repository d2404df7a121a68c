#!/bin/bash
# Links holdfast for a machine that has no Swift and hardly any library: portable.sh OUTPUT
#
# It is the release build, linked once more: Debian's static libraries take the place of the shared ones where Debian has them. OpenSSL
# stays shared, so that the system's security updates reach it, and so do the C library and the compiler's. libqrencode has no static
# library; it is put beside the program. OUTPUT gets holdfast, lib/, and link.map with static/, which say what was linked in.
set -eu -o pipefail
cd "$(dirname "$0")/.."
output=$(realpath -m "$1")
swift=${SWIFT:-swift}
static=(libcap libsecp256k1 libsodium libsqlite3 libstdc++ libutf8proc libwebsockets)
bundled=libqrencode.so.4

rm -rf "$output"
mkdir -p "$output/static" "$output/lib"
for library in "${static[@]}"; do
  archive=$(gcc -print-file-name="$library.a")
  [ -f "$archive" ] || { echo "portable: there is no $library.a" >&2; exit 1; }
  ln -s "$(realpath "$archive")" "$output/static/$library.a"
done
# The linker takes what it finds first: SwiftPM gives it the folders that pkg-config names before the system's own.
for described in libcap libsecp256k1 libsodium libwebsockets sqlite3; do
  sed "s|^Libs: *|Libs: -L$output/static |" "$(pkg-config --variable=pcfiledir "$described")/$described.pc" >"$output/static/$described.pc"
done
export PKG_CONFIG_PATH=$output/static
build=("$swift" build -c release --static-swift-stdlib --product holdfast -Xlinker "-Map=$output/link.map"
  -Xlinker -rpath -Xlinker '$ORIGIN/../lib/holdfast')
# The link is made anew, so that the map is; the ordinary program is put back.
release=.build/release/holdfast
[ ! -f "$release" ] || mv "$release" "$output/ordinary"
restore() { [ ! -f "$output/ordinary" ] || mv "$output/ordinary" "$release"; }
trap restore EXIT
"${build[@]}"
mv "$release" "$output/holdfast"
strip --strip-unneeded "$output/holdfast"
cp -L "$(gcc -print-file-name="$bundled")" "$output/lib/$bundled"

# What is asked of the other machine, and nothing else.
for library in $(objdump -p "$output/holdfast" | awk '$1 == "NEEDED" { print $2 }'); do
  case $library in
    libssl.so.3 | libcrypto.so.3 | libc.so.6 | libm.so.6 | libgcc_s.so.1 | ld-linux-*) ;;
    "$bundled") ;;
    *) echo "portable: it still needs $library" >&2; exit 1 ;;
  esac
done
