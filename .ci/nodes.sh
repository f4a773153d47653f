#!/usr/bin/env bash
# Installs the versions of Node.js under which set-up is tested, each with its npm, once for each list of versions, and
# prints `export OLD_NODES=...`: the paths of their commands, separated by colons.
#   eval "$(.ci/nodes.sh)"
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
mkdir -p "$run"

if [ -n "${OLD_NODES:-}" ]; then
  printf 'export OLD_NODES=%q\n' "$OLD_NODES"
  exit 0
fi

# install_node VERSION NPM: prints the path of the command
install_node() {
  local folder="$cache/node-$1-npm-$2"
  if ! [ -e "$folder/.ready" ]; then
    say "installing Node.js $1"
    rm -rf "$folder"
    mkdir -p "$folder"
    retry npm install --no-save --no-audit --no-fund --prefix "$folder" "node@$1" "npm@$2" \
      >"$run/node-$1.log" 2>&1 </dev/null || fail "installing Node.js $1 failed: $(tail -n 5 "$run/node-$1.log")"
    touch "$folder/.ready"
  fi
  echo "$folder/node_modules/.bin/node"
}

# Concurrent callers install once.
exec 9>"$cache/nodes.lock"
flock 9
nodes=()
for versions in '18.20.8 10.8.2' '20.20.2 10.8.2' '22.23.3 10.9.4' '24.21.0 11.6.2'; do
  read -r node npm <<<"$versions"
  nodes+=("$(install_node "$node" "$npm")")
done
printf 'export OLD_NODES=%q\n' "$(IFS=: && echo "${nodes[*]}")"
