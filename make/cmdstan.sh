#!/usr/bin/env bash
# cmdstan.sh install|uninstall CMDSTAN            writes two settings to CmdStan's make/local, or removes them
# cmdstan.sh build CMDSTAN MODEL STANCFLAGS       builds a model with the same settings
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
action=$1
given=$2
begin="# cmdstan-dp: begin (make uninstall CMDSTAN=... removes these lines)"
end="# cmdstan-dp: end"

fail() { echo "CMDSTAN=$given: $1" >&2; exit 1; }

[ -n "$given" ] || { echo "make $action needs the path of a CmdStan: make $action CMDSTAN=/path" >&2; exit 1; }
[ -d "$given" ] || fail "there is no such directory."
cmdstan=$(cd "$given" && pwd)
version=$(sed -n 's/^CMDSTAN_VERSION *:= *//p' "$cmdstan/makefile" 2>/dev/null || true)
[ -n "$version" ] && [ -f "$cmdstan/src/cmdstan/command.hpp" ] \
  || fail "this is not a CmdStan: it has no makefile with a version, or no src/cmdstan/command.hpp."
IFS=. read -r major minor _ <<< "$version"
[ "$major" -gt 2 ] || { [ "$major" -eq 2 ] && [ "${minor%%[!0-9]*}" -ge 33 ]; } \
  || fail "this is CmdStan $version; 2.33 or newer is needed."
case "$root$cmdstan" in *[[:space:]]*) fail "make cannot work with blanks in paths." ;; esac

# CmdStan puts the object file beside its main: one main for each CmdStan.
main=$root/build/cmdstan/$version-$(printf '%s' "$cmdstan" | cksum | cut -d' ' -f1)/main.cpp
includes="-I $root/cmdstan_patch -I $root/src -I src -I \$(STAN)src -I \$(RAPIDJSON) -I \$(CLI11)"
write_main() {
  mkdir -p "$(dirname "$main")"
  local line="#include \"$root/cmdstan_patch/main.cpp\""
  [ "$(cat "$main" 2>/dev/null)" = "$line" ] || echo "$line" > "$main"
}

settings=$cmdstan/make/local
without_settings() { [ ! -f "$settings" ] || sed "/^# cmdstan-dp: begin/,/^# cmdstan-dp: end/d" "$settings"; }
# Kept byte for byte, with its permissions; a file that only held these lines goes.
replace_settings() {
  cat "$1" > "$settings"
  [ -s "$settings" ] || rm -f "$settings"
}

case $action in
  build)
    write_main
    exec make -C "$cmdstan" --no-print-directory CMDSTAN_MAIN="$main" INC_FIRST="$includes" STAN_THREADS=true STANCFLAGS="$4" "$3"
    ;;
  install)
    write_main
    work=$(mktemp)
    trap 'rm -f "$work"' EXIT
    { printf '%s\n' "$begin" "CMDSTAN_MAIN = $main" "INC_FIRST = $includes" "STAN_THREADS = true" "$end"; without_settings; } > "$work"
    replace_settings "$work"
    echo "CmdStan $version in $cmdstan builds models with the private algorithms now (see $settings)."
    ;;
  uninstall)
    if [ -f "$settings" ] && grep -q '^# cmdstan-dp: begin' "$settings"; then
      work=$(mktemp)
      trap 'rm -f "$work"' EXIT
      without_settings > "$work"
      replace_settings "$work"
      rm -rf "$(dirname "$main")"
      echo "CmdStan $version in $cmdstan is as it was; models that were built meanwhile keep the private algorithms."
    else
      echo "CmdStan $version in $cmdstan has no settings of cmdstan-dp; nothing was changed."
    fi
    ;;
esac
