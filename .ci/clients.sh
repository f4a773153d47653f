#!/usr/bin/env bash
# Prepares the clients that encrypt, other than that in Node.js: an environment with matrix-nio, and the program of
# chaos/encryption/mautrix. Prints `export NIO_PYTHON=...`, an interpreter, and `export MAUTRIX_CLIENT=...`. What the environment
# names already is taken as it is. Needs Python 3.10 or later with its venv module, and Go.
#   eval "$(.ci/clients.sh)"
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
mkdir -p "$run"
cd "$here/../chaos/encryption"

# Concurrent callers prepare once.
exec 9>"$cache/clients.lock"
flock 9
nio=${NIO_PYTHON:-$(python_environment nio nio/requirements.txt)/bin/python}
mautrix=${MAUTRIX_CLIENT:-$(go_program mautrix-client mautrix mautrix/{*.go,go.mod,go.sum} -- go build -tags goolm -o)}
printf 'export NIO_PYTHON=%q MAUTRIX_CLIENT=%q\n' "$nio" "$mautrix"
