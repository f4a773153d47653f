# Shared by the engine scripts: where things live, and how to tell whether they run. Sourced, not run.

cache="${XDG_CACHE_HOME:-$HOME/.cache}/steward-engines"
bin="$cache/bin"
root="$cache/root"
run="$cache/run"

say() { echo "engines: $*" >&2; }

fail() {
  say "$*"
  exit 1
}

listening() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# The first port from $1 upwards on which nothing listens.
free_port() {
  local port=$1
  while listening "$port"; do port=$((port + 1)); done
  echo "$port"
}

# wait_for_port PORT NAME LOG: until something listens, for at most 20 seconds.
wait_for_port() {
  for _ in $(seq 100); do
    listening "$1" && return 0
    sleep 0.2
  done
  fail "$2 did not start: $(tail -n 5 "$3" 2>/dev/null)"
}

# running NAME: whether the process in NAME.pid is alive and still the program of that name. A pid
# file outlives a reboot, and its number may belong to another process by then.
running() {
  local pid
  pid=$(cat "$run/$1.pid" 2>/dev/null) || return 1
  [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$1" ]
}

# retry COMMAND...: three attempts, for steps that download.
retry() {
  "$@" || { sleep 5; "$@"; } || { sleep 15; "$@"; }
}

# installed by version, so that raising a pin takes effect: go_install MODULE@VERSION COMMAND
go_install() {
  local target="$bin/${1##*@}/$2"
  if ! [ -x "$target" ]; then
    command -v go >/dev/null || fail "Go is needed to build $2"
    say "building $2 ${1##*@}"
    GOBIN="$bin/${1##*@}" retry go install "$1" >"$run/$2-build.log" 2>&1 ||
      fail "building $2 failed: $(tail -n 5 "$run/$2-build.log")"
  fi
  echo "$target"
}

# python_environment NAME REQUIREMENTS: prints the folder of an environment with these packages, made once for each list of pins.
python_environment() {
  local python=${PYTHON:-python3} folder
  command -v "$python" >/dev/null || fail "Python is needed for $1"
  folder="$cache/$1-$({ "$python" --version; cat "$2"; } | sha256sum | cut -c1-16)"
  if ! [ -e "$folder/.ready" ]; then
    say "installing the packages of $1"
    retry fill_environment "$python" "$folder" "$2" >"$run/$1.log" 2>&1 ||
      fail "installing failed: $(tail -n 5 "$run/$1.log")"
    touch "$folder/.ready"
  fi
  echo "$folder"
}

# export_python NAME VARIABLE REQUIREMENTS: prints `export VARIABLE=...`, an interpreter with these packages. One that the environment names
# already is taken as it is. Concurrent callers install once.
export_python() {
  local python
  mkdir -p "$run"
  exec 9>"$cache/$1.lock"
  flock 9
  python=${!2:-$(python_environment "$1" "$3")/bin/python}
  printf 'export %s=%q\n' "$2" "$python"
}

fill_environment() {
  rm -rf "$2"
  "$1" -m venv "$2" && "$2/bin/pip" install --quiet --no-deps --requirement "$3" && "$2/bin/pip" check
}

# go_program NAME FOLDER INPUT... -- COMMAND...: prints the path of a program, which the command builds in the folder, given
# the path, once for each version of the inputs.
go_program() {
  local name=$1 folder=$2 inputs=() program
  shift 2
  while [ "$1" != -- ]; do
    inputs+=("$1")
    shift
  done
  shift
  command -v go >/dev/null || fail "Go is needed for $name"
  program="$bin/$name-$({ go version; cat "${inputs[@]}"; } | sha256sum | cut -c1-16)/$name"
  if ! [ -x "$program" ]; then
    say "building $name"
    (cd "$folder" && retry "$@" "$program") >"$run/$name.log" 2>&1 ||
      fail "building failed: $(tail -n 5 "$run/$name.log")"
  fi
  echo "$program"
}

# apt_install PACKAGE...: one caller at a time, since apt fails when another one holds its lock.
apt_install() (
  exec 8>"$cache/apt.lock"
  flock 8
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
)

nats_server() { go_install github.com/nats-io/nats-server/v2@v2.15.2 nats-server; }

in_root() {
  chroot "$root" /usr/bin/env -i PATH=/usr/lib/postgresql/18/bin:/usr/bin:/bin LANG=C.UTF-8 "$@"
}

as_postgres() { in_root su postgres -c "$1"; }

# Stops the PostgreSQL of our root, if it runs: a pid file left by a crash may contain the id of another process.
stop_postgres() {
  local pid
  pid=$(head -n 1 "$root/data/pg/postmaster.pid" 2>/dev/null) || return 0
  if [ "$(readlink "/proc/$pid/root" 2>/dev/null)" = "$root" ]; then
    as_postgres "pg_ctl -D /data/pg -m immediate -w stop" >/dev/null 2>&1
  fi
}
