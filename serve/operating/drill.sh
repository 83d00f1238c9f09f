#!/bin/sh
# drill.sh <backup> <empty directory>: puts a backup back beside the running system, touching nothing of it, and proves
# it: the books are whole, the release verifies, an answer can be served from it. A dump is restored into the database
# of DRILL_DATABASE, an empty one. Ends with another code than 0 at the first thing that does not hold.
set -eu
backup=${1:?name the backup}
scratch=${2:?name an empty directory}
app=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
node=$app/node_modules/.bin/node
umask 077
mkdir -p "$scratch"
[ -z "$(ls -A "$scratch")" ] || { echo "$scratch is not empty" >&2; exit 2; }
export II_DATA="$scratch" II_BASE_URL="${II_BASE_URL:-http://127.0.0.1:8402}"
unset DATABASE_URL

[ ! -d "$backup/keys" ] || cp -Rp "$backup/keys" "$scratch/keys"
[ ! -d "$backup/visual" ] || cp -Rp "$backup/visual" "$scratch/visual"
[ ! -d "$backup/artifacts" ] || cp -Rp "$backup/artifacts" "$scratch/artifacts"
if [ -f "$backup/ledger.dump" ]; then
  export II_LEDGER="${DRILL_DATABASE:?name the empty database, postgres://…}"
  pg_restore --no-owner --no-privileges --exit-on-error --dbname="$II_LEDGER" "$backup/ledger.dump"
else
  export II_LEDGER="sqlite:$scratch/ledger/ledger.db"
  "$node" "$app/serve/cli.ts" ledger restore "$backup/ledger.db" --as drill
fi

"$node" "$app/serve/cli.ts" ledger check
[ ! -d "$backup/artifacts" ] || {
  "$node" "$app/pipeline/cli.ts" release verify --data "$scratch"
  "$node" "$app/serve/cli.ts" get /v1/risk-distribution
  echo
}
echo "The backup $backup is whole."
