#!/bin/sh
# Makes the secrets of docker-compose.yml that are missing, in the folder secrets, and replaces those that are named:
#   sh deploy/make-secrets.sh [name...]
# The folder is private on this machine; its files must be readable by the containers.
set -eu
cd "$(dirname "$0")/.."
umask 022
mkdir -p -m 700 secrets

# A private Ed25519 key (PKCS #8): what is the same in all of them, then 32 random bytes.
signing_key() {
  echo '-----BEGIN PRIVATE KEY-----'
  { printf '\060\056\002\001\000\060\005\006\003\053\145\160\004\042\004\040' && head -c 32 /dev/urandom; } | base64
  echo '-----END PRIVATE KEY-----'
}

# Writes into the file, because a container has mounted the file and not its name.
replace() {
  case $1 in
    audit_signing_key) signing_key ;;
    *) head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' ;;
  esac >"secrets/$1"
}

make() { [ -s "secrets/$1" ] || replace "$1"; }

for name; do
  case $name in
    *[!a-z_]* | '') known=no ;;
    *) known=yes ;;
  esac
  if [ $known = no ] || ! [ -e "secrets/$name" ]; then
    echo "make-secrets: there is no secret $name" >&2
    exit 1
  fi
  replace "$name"
done

for name in internal_credential registration_shared_secret audit_signing_key mongo_root_password grafana_admin_password; do
  make "$name"
done
for account in user room media moderation server operator; do
  make "mongo_${account}_password"
  make "nats_${account}_password"
done
# The same passwords of NATS, as its configurations include them.
nats_passwords() {
  for account; do
    printf '%s_PASSWORD: "%s"\n' "$(echo "$account" | tr '[:lower:]' '[:upper:]')" "$(cat "secrets/nats_${account}_password")"
  done
}
nats_passwords user room media moderation operator >secrets/nats_passwords.conf
nats_passwords server operator >secrets/nats_whole_passwords.conf
