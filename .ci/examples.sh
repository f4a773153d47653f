#!/usr/bin/env bash
# Prepares the example clients for the tests: an environment with the packages of examples/python, and the program of
# examples/go, each once for each version of what it is made of. Prints `export EXAMPLE_PYTHON=...`, an interpreter, and
# `export EXAMPLE_GO=...`. What the environment names already is taken as it is. Needs Python 3.10 or later with its venv
# module, Go, and the workspace after `npm run setup`, whose buf generates the stubs of the example in Go.
#   eval "$(.ci/examples.sh)"
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
mkdir -p "$run"
cd "$here/.."

build() {
  PATH="$here/../node_modules/.bin:$PATH" go generate && go build -o "$1" .
}

# prints the path of the program
prepare_go() {
  local protos
  protos=$(sed -n 's|^ *- \.\./\.\./\(proto/\)|\1|p' examples/go/buf.gen.yaml)
  # shellcheck disable=SC2086 # a list of paths
  go_program steward-client examples/go examples/go/*.{go,mod,sum,yaml} $protos -- build
}

# Concurrent callers prepare once. Installing waits for the network while the other is built.
exec 9>"$cache/examples.lock"
flock 9
built=$(mktemp)
trap 'rm -f "$built"' EXIT
if [ -n "${EXAMPLE_GO:-}" ]; then echo "$EXAMPLE_GO"; else prepare_go; fi >"$built" &
building=$!
interpreter=${EXAMPLE_PYTHON:-$(python_environment example-python examples/python/requirements.txt)/bin/python}
wait "$building"
printf 'export EXAMPLE_PYTHON=%q EXAMPLE_GO=%q\n' "$interpreter" "$(cat "$built")"
