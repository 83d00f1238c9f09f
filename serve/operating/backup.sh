#!/bin/sh
# backup.sh <directory>: a dated directory with the books, the signing key, the releases and the renders. Reads II_DATA and
# II_LEDGER or DATABASE_URL from the environment, runs beside the server and beside a night, and leaves no half backup
# under a finished name. Prints the directory.
set -eu
into=${1:?name the directory the backups go to}
data=${II_DATA:?set II_DATA}
app=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
to=$into/$(date -u +%Y-%m-%dT%H%M%SZ)
last=$(find "$into" -mindepth 1 -maxdepth 1 -type d -name '*Z' | sort | tail -1)
umask 077
mkdir "$to.partial"
trap '[ ! -d "$to.partial" ] || rm -rf "$to.partial"' EXIT

# the books, in one instant
books=${II_LEDGER:-${DATABASE_URL:-}}
case $books in
  postgres:* | postgresql:*) pg_dump --format=custom --file="$to.partial/ledger.dump" "$books" ;;
  *) "$app/node_modules/.bin/node" "$app/serve/cli.ts" ledger backup "$to.partial/ledger.db" >"$to.partial/ledger.json" ;;
esac

# the key that signs releases
[ ! -d "$data/keys" ] || cp -Rp "$data/keys" "$to.partial/keys"

# renders and the key that signs them; what is being written has no name yet
[ ! -d "$data/visual" ] || rsync -a --exclude='.new-*' ${last:+--link-dest="$last/visual/"} "$data/visual/" "$to.partial/visual/"

# one folder of the artifact store; a file that the last backup holds is linked to it, for it never changes
copy() {
  folder=$1 && shift
  rsync -a "$@" --exclude='*.partial' ${last:+--link-dest="$last/artifacts/$folder/"} \
    "$data/artifacts/$folder/" "$to.partial/artifacts/$folder/"
}

# pointers, releases, packs: what a file names is copied after it, even while a night publishes
if [ -d "$data/artifacts" ]; then
  rsync -a --exclude=/releases --exclude=/packs "$data/artifacts/" "$to.partial/artifacts/"
  copy releases
  copy packs
  # once more what is there already: prune may have moved objects to another pack between the two
  copy releases --existing
  copy packs
fi

mv "$to.partial" "$to"
echo "$to"
