#!/bin/bash
# From the owner's yes to the signed event at the app: the interop suite's daemon and client (needs .venv), over loopback.
set -eu -o pipefail
. scripts/common.sh

rounds=200
[ "$QUICK" = 0 ] || rounds=40
needs_python
HOLDFAST_BINARY=$HOLDFAST PYTHONPATH=../interop "$PYTHON" scripts/approvals.py "$rounds" | while read -r name value; do
  figure "approval to signed answer, $name" "$value" ms
done
