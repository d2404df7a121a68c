#!/bin/bash
# Installs a built holdfast: install.sh BINARY DESTDIR PREFIX
set -eu -o pipefail
cd "$(dirname "$0")/.."
binary=$1
root=$2$3
# System folders for units and completions belong to packages; elsewhere everything stays below the prefix.
case $3 in
  /usr) units=$root/lib/systemd/user ;;
  *) units=$root/share/systemd/user ;;
esac

umask 022
install -Dm755 "$binary" "$root/bin/holdfast"
install -d "$root/share/man/man1" "$root/share/bash-completion/completions" "$root/share/zsh/site-functions" \
  "$root/share/fish/vendor_completions.d" "$root/share/dbus-1/services" "$units" "$root/share/doc/holdfast"
"$binary" man | gzip -9n > "$root/share/man/man1/holdfast.1.gz"
"$binary" completions bash > "$root/share/bash-completion/completions/holdfast"
"$binary" completions zsh > "$root/share/zsh/site-functions/_holdfast"
"$binary" completions fish > "$root/share/fish/vendor_completions.d/holdfast.fish"
sed "s|^ExecStart=/usr/bin/|ExecStart=$3/bin/|" Packaging/holdfast.service > "$units/holdfast.service"
sed "s|^Exec=/usr/bin/|Exec=$3/bin/|" Packaging/org.holdfast.Signer1.service > "$root/share/dbus-1/services/org.holdfast.Signer1.service"
for document in README.md CHANGELOG.md SECURITY.md docs/{BROWSER,DESKTOP,LINKS,LOCAL-PROGRAMS,HOME-SERVER,KEYS,RECOVERY,GUARDIANS,ROTATION,APPROVALS,RUNBOOK,THREAT_MODEL,FORMATS}.md; do
  [ ! -f "$document" ] || install -m644 "$document" "$root/share/doc/holdfast/"
done
