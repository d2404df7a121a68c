#!/bin/bash
# Links the programs for a machine that has no Swift and hardly any library: portable.sh OUTPUT
#
# holdfast is the release build, linked once more with Debian's static libraries where Debian has them. libqrencode has none; it is put beside
# the program. holdfast-wake and holdfast-push are always linked so. OUTPUT gets the programs, lib/, and for each program a map, as
# holdfast.map, which says what was linked in.
set -eu -o pipefail
cd "$(dirname "$0")/.."
output=$(realpath -m "$1")
swift=${SWIFT:-swift}
bundled=libqrencode.so.4

rm -rf "$output"
mkdir -p "$output/lib"
. Packaging/static-libraries.sh
static_libraries "$output/static"
build=("$swift" build -c release $(cat Packaging/release-options) --static-swift-stdlib --product holdfast -Xlinker "-Map=$output/holdfast.map"
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

for program in holdfast-wake holdfast-push; do
  Packaging/small.sh "$program" -Xlinker "-Map=$output/$program.map"
  cp ".build/release/$program" "$output/$program"
  strip --strip-unneeded "$output/$program"
done

# What is asked of the other machine, and nothing else: holdfast alone has a library beside it.
for program in holdfast holdfast-wake holdfast-push; do
  for library in $(objdump -p "$output/$program" | awk '$1 == "NEEDED" { print $2 }'); do
    case $program:$library in
      *:libssl.so.3 | *:libcrypto.so.3 | *:libc.so.6 | *:libm.so.6 | *:libgcc_s.so.1 | *:ld-linux-*) ;;
      holdfast:"$bundled") ;;
      *) echo "portable: $program still needs $library" >&2; exit 1 ;;
    esac
  done
done
