#!/bin/bash
# Looks for the fuzzer's stand-in for signatures in built programs: check-stand-in.sh RUNNER [PROGRAM…]
#
# RUNNER, the fuzzer's own, must have it: otherwise this check would find nothing anywhere. No PROGRAM may; one that is not built is left
# out. Nor may the package that has the stand-in have a program `holdfast`.
set -eu -o pipefail
cd "$(dirname "$0")/.."
marker="holdfast fuzzing stand-in"
runner=$1
shift
grep -qaF "$marker" "$runner" || { echo "fuzz: the stand-in's marker is not in $runner" >&2; exit 1; }
for program in "$@"; do
  [ -e "$program" ] || continue
  if grep -qaF "$marker" "$program"; then
    echo "fuzz: $program takes the fuzzer's stand-in for signatures" >&2
    exit 1
  fi
  echo "fuzz: no stand-in in $program"
done
targets=$(HOLDFAST_FUZZING=1 "${SWIFT:-swift}" package --scratch-path "$(dirname "$(dirname "$runner")")" describe --type json | python3 -c '
import json, sys
print(*(target["name"] for target in json.load(sys.stdin)["targets"]))')
[[ " $targets " == *" FuzzRunner "* ]] || { echo "fuzz: the package with the stand-in has no FuzzRunner" >&2; exit 1; }
if [[ " $targets " == *" holdfast "* ]]; then
  echo "fuzz: the package with the stand-in has the program holdfast" >&2
  exit 1
fi
