#!/usr/bin/env bash
# Installs tmux, zsh and fish, with which the command line is tested, and prints `export TMUX_PROGRAM=...` and so on. Those that
# the environment names, or that are installed, are taken as they are. Needs root and apt otherwise.
#   eval "$(.ci/terminal.sh)"
set -euo pipefail
. "$(dirname "$0")/lib.sh"
mkdir -p "$run"

missing=()
for name in tmux zsh fish; do
  variable=${name^^}_PROGRAM
  [ -n "${!variable:-}" ] || command -v "$name" >/dev/null || missing+=("$name")
done
if [ "${#missing[@]}" -gt 0 ]; then
  [ "$(id -u)" = 0 ] || fail "root is needed to install ${missing[*]}"
  say "installing ${missing[*]}"
  retry apt_install "${missing[@]}" >"$run/terminal.log" 2>&1 ||
    fail "installing ${missing[*]} failed: $(tail -n 5 "$run/terminal.log")"
fi
for name in tmux zsh fish; do
  variable=${name^^}_PROGRAM
  printf 'export %s=%q\n' "$variable" "${!variable:-$(command -v "$name")}"
done
