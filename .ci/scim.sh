#!/usr/bin/env bash
# Installs scim2-tester, which checks servers of SCIM, into an environment of its own, once for each list of pins, and prints
# `export SCIM_PYTHON=...`, an interpreter. One that the environment names already is taken as it is. Needs Python 3.10 or later with
# its venv module.
#   eval "$(.ci/scim.sh)"
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
export_python scim SCIM_PYTHON "$here/../conformance/scim/requirements.txt"
