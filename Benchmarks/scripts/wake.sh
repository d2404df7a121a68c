#!/bin/bash
# `holdfast-wake` from its start to its end, over a plain C relay on this machine (needs .venv and a desktop keyring), and over the same relay
# behind nginx with TLS (needs root, to trust the certificate in a mount namespace of its own).
set -eu -o pipefail
. scripts/common.sh

rounds=60
[ "$QUICK" = 0 ] || rounds=10
wake=$(dirname "$HOLDFAST")/holdfast-wake
needs_python
needs "$wake" "'make build-wake' makes holdfast-wake"
RELAY=
trap 'stop $RELAY' EXIT
start_relay
export HOLDFAST_BINARY=$HOLDFAST PYTHONPATH=../interop

# wakes NAME PROGRAM…: the program is wake.py, with what starts it
wakes() {
  local title=$1
  shift
  "$@" "$BUILT/spawn" "$wake" "ws://127.0.0.1:$RELAY_PORT" "$rounds" $tls |
    while IFS=: read -r name value; do figure "$title, $name" $value; done
}

tls=
wakes "a wake" "$PYTHON" scripts/wake.py
PATH=$PATH:/usr/sbin command -v nginx >/dev/null || { echo "skipped: a wake over TLS needs nginx (Debian: nginx-light)"; exit 0; }
unshare --mount true 2>/dev/null || { echo "skipped: a wake over TLS needs root"; exit 0; }
tls=tls
wakes "a wake over TLS" unshare --mount --propagation private "$PYTHON" scripts/wake.py
