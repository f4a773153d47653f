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
tools=$(python_environment tools "$here/requirements.txt")
for program in "${missing[@]}"; do
  printf 'export %s=%q\n' "$(tr 'a-z-' 'A-Z_' <<<"$program")" "$tools/bin/$program"
done
