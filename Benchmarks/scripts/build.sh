#!/bin/bash
# Builds the C programs and those in Swift.
set -eu -o pipefail
. scripts/common.sh

flags="-std=gnu11 -O2 -Wall -Wextra $(pkg-config --cflags libsecp256k1 libsodium libcrypto libwebsockets)"
crypto=$(pkg-config --libs libsecp256k1 libsodium libcrypto)
shared="bytes json curve nip44 event envelope signer_answer client"

object() { [ "$BUILT/$1.o" -nt "c/$1.c" ] && [ -z "$(find c -name '*.h' -newer "$BUILT/$1.o")" ] || ${CC:-gcc} $flags -c "c/$1.c" -o "$BUILT/$1.o"; }

# program NAME "OBJECTS" "LIBRARIES"
program() {
  local name=$1 objects="" unit
  for unit in $1 $2; do
    object "$unit"
    objects="$objects $BUILT/$unit.o"
  done
  ${CC:-gcc} -o "$BUILT/$name" $objects $3
}

program generate "$shared" "$crypto"
program create_keys "curve bytes" "$crypto"
program hash_log "" "$crypto"
program pbkdf2 "" "$crypto"
program threshold "" "$crypto"
program sync "" ""
program spawn "" ""
program sign_event "input $shared" "$crypto"
for name in relay signer load push_load; do
  program $name "websocket $shared" "$crypto $(pkg-config --libs libwebsockets)"
done
for product in EngineBench LogBench ShareBench ThresholdBench VanityBench; do
  ../Packaging/logged.sh "$BUILT/swift.log" swift build -c release --static-swift-stdlib --product $product
done
