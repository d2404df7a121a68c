#!/bin/bash
# Lists the modules that a sanitizer is for, with commas between: modules.sh threads|c
#
# threads: those that lock. c: those that call a C library, and what hands memory to them. Read from the sources, so that a new module is
# never forgotten.
set -eu -o pipefail
cd "$(dirname "$0")/.."
# These call no C library themselves; their tests run a whole signer, or relays, over the modules that do.
above=(Relays Signer Backups Guardians KeyRotation Notifications Observability VaultRepair OwnerOperations)
case ${1:-} in
  threads) pattern='^(internal |public )?import Platform$' also=(Platform) ;;
  c) pattern='^(internal |public )?import (CCurl|CKeyring|CLinux|COpenSSL|CPAM|CPostgreSQL|CQREncode|CSQLite|CSecp256k1|CSodium|CSystemd|CToken|CUtf8proc|CWebSockets)$' also=("${above[@]}") ;;
  *) echo "usage: modules.sh threads|c" >&2; exit 2 ;;
esac
{
  printf '%s\n' "${also[@]}"
  # The program itself is no module: its tests run the daemon.
  grep -rlE --include='*.swift' "$pattern" Sources | cut -d/ -f2 | grep -vx holdfast
} | sort -u | paste -sd,
