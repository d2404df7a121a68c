#!/bin/bash
# The push proxy with 100,000 registered keys and 2,000 events a second, over a plain C relay and to nginx (needs .venv and nginx).
set -eu -o pipefail
. scripts/common.sh

seconds=15
[ "$QUICK" = 0 ] || seconds=3
proxy=$(dirname "$HOLDFAST")/holdfast-push
needs_python
PATH=$PATH:/usr/sbin command -v nginx >/dev/null || { echo "skipped: it needs nginx (Debian: nginx-light)"; exit 0; }
needs "$proxy" "'make build-push' makes holdfast-push"
RELAY=
trap 'stop $RELAY' EXIT
start_relay
PYTHONPATH=../interop "$PYTHON" scripts/push.py "$BUILT/push_load" "$proxy" "ws://127.0.0.1:$RELAY_PORT" 2000 "$seconds" |
  while IFS=: read -r name value; do figure "push, $name" $value; done
