#!/bin/bash
# `holdfast-wake` from its start to its end, over a plain C relay on this machine (needs .venv and a desktop keyring).
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
HOLDFAST_BINARY=$HOLDFAST PYTHONPATH=../interop "$PYTHON" scripts/wake.py "$BUILT/spawn" "$wake" "ws://127.0.0.1:$RELAY_PORT" "$rounds" |
  while IFS=: read -r name value; do figure "a wake, $name" $value; done
