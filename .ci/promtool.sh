#!/usr/bin/env bash
# Takes promtool, which checks the metrics, out of Debian's package of Prometheus, and prints `export PROMTOOL=...`. One that the
# environment names, or that is installed, is taken as it is. Needs root and apt otherwise.
#   eval "$(.ci/promtool.sh)"
set -euo pipefail
. "$(dirname "$0")/lib.sh"
mkdir -p "$run" "$bin"

# Concurrent callers install once.
exec 9>"$cache/promtool.lock"
flock 9

# Without what Prometheus depends on: promtool needs the C library only.
unpack_promtool() (
  exec 8>"$cache/apt.lock"
  flock 8
  directory=$(mktemp -d)
  trap 'rm -rf "$directory"' EXIT
  cd "$directory" && apt-get update -qq && apt-get download -qq prometheus && dpkg -x prometheus_*.deb . &&
    mv usr/bin/promtool "$bin/promtool"
)

command=${PROMTOOL:-$(command -v promtool || true)}
if [ -z "$command" ]; then
  command=$bin/promtool
  if ! [ -x "$command" ]; then
    [ "$(id -u)" = 0 ] || fail "root is needed to install promtool"
    say "installing promtool"
    retry unpack_promtool >"$run/promtool.log" 2>&1 || fail "installing failed: $(tail -n 5 "$run/promtool.log")"
  fi
fi
printf 'export PROMTOOL=%q\n' "$command"
