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
as=
case $(id -un) in
  "$account") ;;
  root) as="setpriv --reuid=$account --regid=$account --init-groups --no-new-privs" ;;
  *)
    echo "$(basename "$0"): call this as root or as $account." >&2
    exit 2
    ;;
esac
# $as is nothing or a command with its options
$as test -r "$settings" || {
  echo "$(basename "$0"): the account $account may not read $settings: chown root:$account, chmod 640." >&2
  exit 2
}
exec env -u HOME $as "$app/node_modules/.bin/node" --env-file="$settings" "$app/$program" "$@"
