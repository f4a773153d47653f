#!/usr/bin/env bash
# Installs Chromium, with which the client library is tested, and prints `export CHROMIUM=...`. One that the environment
# names, or that is installed, is taken as it is. Needs root and apt otherwise.
#   eval "$(.ci/browser.sh)"
set -euo pipefail
. "$(dirname "$0")/lib.sh"
mkdir -p "$run"

command=${CHROMIUM:-$(command -v chromium || true)}
if [ -z "$command" ]; then
  [ "$(id -u)" = 0 ] || fail "root is needed to install Chromium"
  say "installing Chromium"
  retry apt_install chromium >"$run/chromium.log" 2>&1 ||
    fail "installing Chromium failed: $(tail -n 5 "$run/chromium.log")"
  command=$(command -v chromium)
fi
printf 'export CHROMIUM=%q\n' "$command"
