#!/usr/bin/env bash
# Installs the homeserver from which people move here, and prints `export REFERENCE_PYTHON=...`, an interpreter with its package.
# One that the environment names already is taken as it is. Needs Python 3.10 or later with its venv module.
#   eval "$(.ci/reference.sh)"
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
export_python reference REFERENCE_PYTHON "$here/reference-requirements.txt"
