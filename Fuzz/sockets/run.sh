#!/bin/bash
# Builds the sockets' server with AddressSanitizer, libwebsockets included, and sends packets to it: run.sh [SECONDS | OPTION…]
#
# SECONDS, 10 when nothing is said, or options of fuzz.py such as --seed 1 --http 100000 --frames 1000000. A report of the sanitizer, a
# crash, a hang or a wrong answer to an honest client is a finding: the input is kept under Fuzz/sockets/found and the exit status is 1.
set -eu -o pipefail
cd "$(dirname "$0")/../.."
export SWIFT_BACKTRACE=enable=no HOLDFAST_FUZZING=sockets
scratch=$PWD/Fuzz/.build-sockets
logs=$scratch/logs
mkdir -p "$logs"

Packaging/logged.sh "$logs/libwebsockets.log" Fuzz/sockets/build-libwebsockets.sh "$scratch/libwebsockets"
# Swift's own build keeps the addresses of the library it found: with another one it begins anew.
if ! cmp -s "$scratch/libwebsockets/stamp" "$scratch/swift/stamp"; then
  rm -rf "$scratch/swift"
  mkdir -p "$scratch/swift"
  cp "$scratch/libwebsockets/stamp" "$scratch/swift/stamp"
fi
PKG_CONFIG_PATH=$scratch/libwebsockets/pkgconfig Packaging/logged.sh "$logs/build.log" \
  "${SWIFT:-swift}" build --scratch-path "$scratch/swift" --sanitize address --product SocketServer
program=$scratch/swift/debug/SocketServer
if ! nm "$program" | grep ' T lws_service_adjust_timeout$' >/dev/null; then
  echo "sockets: the server is not linked to the sanitised libwebsockets" >&2
  exit 1
fi

options=("$@")
case ${1:-10} in *[!0-9]*) ;; *) options=(--seconds "${1:-10}") ;; esac
exec python3 Fuzz/sockets/fuzz.py "$program" --log "$logs/server.log" "${options[@]}"
