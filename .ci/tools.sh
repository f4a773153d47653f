#!/usr/bin/env bash
# Installs the programs of requirements.txt into an environment of their own, once for each list of pins, and
# prints `export SYNADM=...`, `export SCHEMATHESIS=...` and `export KUBERNETES_VALIDATE=...`. A program that the environment
# names already is taken as it is. Needs Python 3.10 or later with its venv module.
#   eval "$(.ci/tools.sh)"
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
mkdir -p "$run"

if [ -n "${SYNADM:-}" ] && [ -n "${SCHEMATHESIS:-}" ] && [ -n "${KUBERNETES_VALIDATE:-}" ]; then
  printf 'export SYNADM=%q SCHEMATHESIS=%q KUBERNETES_VALIDATE=%q\n' "$SYNADM" "$SCHEMATHESIS" "$KUBERNETES_VALIDATE"
  exit 0
fi

# Concurrent callers install once.
exec 9>"$cache/tools.lock"
flock 9
python=${PYTHON:-python3}
command -v "$python" >/dev/null || fail "Python is needed for the programs of requirements.txt"
pins=$({ "$python" --version; cat "$here/requirements.txt"; } | sha256sum | cut -c1-16)
tools="$cache/python-$pins"

install_tools() {
  rm -rf "$tools"
  "$python" -m venv "$tools" &&
    "$tools/bin/pip" install --quiet --no-deps --requirement "$here/requirements.txt" &&
    "$tools/bin/pip" check
}

if ! [ -e "$tools/.ready" ]; then
  say "installing synadm, schemathesis and kubernetes-validate"
  retry install_tools >"$run/tools.log" 2>&1 || fail "installing failed: $(tail -n 5 "$run/tools.log")"
  touch "$tools/.ready"
fi
printf 'export SYNADM=%q SCHEMATHESIS=%q KUBERNETES_VALIDATE=%q\n' "${SYNADM:-$tools/bin/synadm}" \
  "${SCHEMATHESIS:-$tools/bin/schemathesis}" "${KUBERNETES_VALIDATE:-$tools/bin/kubernetes-validate}"
