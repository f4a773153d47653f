#!/usr/bin/env bash
# Starts the engines of the production set-up for the tests, installing them where they are missing, and
# prints `export MONGODB_URL=...`, `export NATS_URL=...` and `export S3_URL=...`, and the programs that tests start with other
# options: `export NATS_SERVER=...` and, if it is FerretDB that serves MONGODB_URL, `export FERRETDB=...`. An engine that the environment names already
# is taken as it is; one that runs already is used again.
#   eval "$(.ci/engines.sh)"        stop: .ci/engines-down
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
mkdir -p "$run"
# Concurrent callers install and start each engine once. The engines themselves must not inherit the lock.
exec 9>"$cache/lock"
flock 9
# Concurrently, because the installation of one waits for the network while the other is built.
nats=$(mktemp)
s3=$(mktemp)
trap 'rm -f "$nats" "$s3"' EXIT
if [ -n "${NATS_URL:-}" ]; then echo "export NATS_URL=$NATS_URL"; else "$here/nats-up"; fi >"$nats" &&
  echo "export NATS_SERVER=${NATS_SERVER:-$(nats_server)}" >>"$nats" &
starting=$!
if [ -n "${S3_URL:-}" ]; then echo "export S3_URL=$S3_URL"; else "$here/s3-up"; fi >"$s3" &
s3_starting=$!
if [ -n "${MONGODB_URL:-}" ]; then
  echo "export MONGODB_URL=$MONGODB_URL"
  [ -z "${FERRETDB:-}" ] || printf 'export FERRETDB=%q\n' "$FERRETDB"
else
  "$here/mongo-up"
fi
wait "$starting"
wait "$s3_starting"
cat "$nats" "$s3"
