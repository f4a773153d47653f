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

digest() { sha256sum | cut -c1-16; }

install_packages() {
  rm -rf "$1"
  "$python" -m venv "$1" &&
    "$1/bin/pip" install --quiet --no-deps --requirement examples/python/requirements.txt &&
    "$1/bin/pip" check
}

# prints the path of an interpreter that has the packages
prepare_python() {
  local python=${PYTHON:-python3} environment
  command -v "$python" >/dev/null || fail "Python is needed for the example in Python"
  environment="$cache/example-python-$({ "$python" --version; cat examples/python/requirements.txt; } | digest)"
  if ! [ -e "$environment/.ready" ]; then
    say "installing the packages of the example in Python"
    retry install_packages "$environment" >"$run/example-python.log" 2>&1 ||
      fail "installing failed: $(tail -n 5 "$run/example-python.log")"
    touch "$environment/.ready"
  fi
  echo "$environment/bin/python"
}

build_go() {
  (cd examples/go && PATH="$here/../node_modules/.bin:$PATH" go generate && go build -o "$1" .)
}

# prints the path of the program
prepare_go() {
  local inputs program
  command -v go >/dev/null || fail "Go is needed for the example in Go"
  inputs=$(sed -n 's|^ *- \.\./\.\./\(proto/\)|\1|p' examples/go/buf.gen.yaml)
  # shellcheck disable=SC2086 # a list of paths
  program="$bin/example-$({ go version; cat examples/go/*.{go,mod,sum,yaml} $inputs; } | digest)/steward-client"
  if ! [ -x "$program" ]; then
    say "building the example in Go"
    retry build_go "$program" >"$run/example-go.log" 2>&1 || fail "building failed: $(tail -n 5 "$run/example-go.log")"
  fi
  echo "$program"
}

# Concurrent callers prepare once. Installing waits for the network while the other is built.
exec 9>"$cache/examples.lock"
flock 9
built=$(mktemp)
trap 'rm -f "$built"' EXIT
if [ -n "${EXAMPLE_GO:-}" ]; then echo "$EXAMPLE_GO"; else prepare_go; fi >"$built" &
building=$!
interpreter=${EXAMPLE_PYTHON:-$(prepare_python)}
wait "$building"
printf 'export EXAMPLE_PYTHON=%q EXAMPLE_GO=%q\n' "$interpreter" "$(cat "$built")"
