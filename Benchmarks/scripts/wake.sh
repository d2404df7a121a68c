#!/bin/bash
# `holdfast-wake` from its start to its end, over a plain C relay on this machine (needs .venv and a desktop keyring).
set -eu -o pipefail
. scripts/common.sh

rounds=60
[ "$QUICK" = 0 ] || rounds=10
python=../.venv/bin/python
wake=$(dirname "$HOLDFAST")/holdfast-wake
[ -x "$python" ] || { echo "skipped: 'make deps' makes .venv"; exit 0; }
[ -x "$wake" ] || { echo "skipped: 'make build-wake' makes holdfast-wake"; exit 0; }
RELAY=
trap 'stop $RELAY' EXIT
rm -f "$BUILT/relay.fifo"
mkfifo "$BUILT/relay.fifo"
"$BUILT/relay" "$RELAY_PORT" >"$BUILT/relay.fifo" &
RELAY=$!
first_line "$BUILT/relay.fifo" >/dev/null
HOLDFAST_BINARY=$HOLDFAST PYTHONPATH=../interop "$python" scripts/wake.py "$BUILT/spawn" "$wake" "ws://127.0.0.1:$RELAY_PORT" "$rounds" |
  while IFS=: read -r name value; do figure "a wake, $name" $value; done
