#!/bin/sh
# Signs a note with Holdfast from a shell, over the session bus:
#
#     Examples/LocalPrograms/sign.sh "Hello from a shell"
#
# The first time, Holdfast asks its owner whether busctl may sign. It waits up to an hour. Python makes the JSON, so that quotes
# in the text stay text.
set -eu
event=$(printf '%s' "$1" | python3 -c 'import json, sys; print(json.dumps({"kind": 1, "content": sys.stdin.read(), "tags": []}))')
answer=$(busctl --user --json=short --timeout=3600 call org.holdfast.Signer1 /org/holdfast/Signer1 org.holdfast.Signer1 SignEvent ss "$event" "")
printf '%s' "$answer" | python3 -c 'import json, sys; print(json.load(sys.stdin)["data"][0])'
