#!/usr/bin/env bash
# Installs helm, with which the chart is tested, and prints `export HELM=...`. A helm that the environment names already is
# taken as it is. Needs Go.
#   eval "$(.ci/helm.sh)"
set -euo pipefail
. "$(dirname "$0")/lib.sh"
mkdir -p "$run"

# Concurrent callers install once.
exec 9>"$cache/helm.lock"
flock 9
command=${HELM:-$(go_install helm.sh/helm/v3/cmd/helm@v3.22.0 helm)}
printf 'export HELM=%q\n' "$command"
