#!/bin/sh
# /usr/local/bin/issuer and /usr/local/bin/issuer-serve: one command line under the account and the configuration of
# the service. Node is started directly, because npx wants a home directory.
set -eu
app=${ISSUER_APP:-/opt/issuer/app}
settings=${ISSUER_ENV:-/etc/issuer/issuer.env}
account=${ISSUER_ACCOUNT:-issuer}
case $(basename "$0") in
  issuer-serve*) program=serve/cli.ts ;;
  *) program=pipeline/cli.ts ;;
esac
set -- "$app/node_modules/.bin/node" --env-file="$settings" "$app/$program" "$@"
[ "$(id -un)" = "$account" ] || set -- setpriv --reuid="$account" --regid="$account" --init-groups --no-new-privs "$@"
exec env -u HOME "$@"
