#!/usr/bin/env bash
# Makes sure that the Debian packages named as arguments are installed: installs the missing ones as root, prints the one command otherwise.
set -euo pipefail
missing=()
for package in "$@"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "installing Debian packages: ${missing[*]}"
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } > "$log" 2>&1 \
    || { cat "$log" >&2; exit 1; }
else
  echo "missing Debian packages; please run:  sudo apt-get install ${missing[*]}" >&2
  exit 1
fi
