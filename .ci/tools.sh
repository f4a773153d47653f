#!/usr/bin/env bash
# Installs the programs of requirements.txt into an environment of their own, once for each list of pins, and oapi-codegen,
# and prints `export SYNADM=...` and so on, a line for each program. One that the environment names already is taken
# as it is. Needs Python 3.10 or later with its venv module, and Go.
#   eval "$(.ci/tools.sh)"
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
mkdir -p "$run"

generator=${OAPI_CODEGEN:-$(go_install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 oapi-codegen)}
printf 'export OAPI_CODEGEN=%q\n' "$generator"

programs=(synadm schemathesis kubernetes-validate openapi-spec-validator openapi-python-client)
missing=()
for program in "${programs[@]}"; do
  variable=$(tr 'a-z-' 'A-Z_' <<<"$program")
  if [ -n "${!variable:-}" ]; then
    printf 'export %s=%q\n' "$variable" "${!variable}"
  else
    missing+=("$program")
  fi
done
[ "${#missing[@]}" -gt 0 ] || exit 0

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
  say "installing ${missing[*]}"
  retry install_tools >"$run/tools.log" 2>&1 || fail "installing failed: $(tail -n 5 "$run/tools.log")"
  touch "$tools/.ready"
fi
for program in "${missing[@]}"; do
  printf 'export %s=%q\n' "$(tr 'a-z-' 'A-Z_' <<<"$program")" "$tools/bin/$program"
done
