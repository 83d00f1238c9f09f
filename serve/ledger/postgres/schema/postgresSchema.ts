import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import { fillTransitions } from '../../schema/transitionTable.ts';

/** Version that `ledger_meta` of a new database states; the embedded ledger counts its own. */
export const schemaVersion = '1';

const durable = ['on', 'remote_write', 'remote_apply'];

/**
 * Creates the schema in an empty database, adds to an older one what joined its version, and refuses a database that
 * would lose commits (P8.14). Two servers may do this at once: an advisory lock decides.
 *
 * @throws IssuerError `configuration` on another schema version, `fsync = off`, asynchronous commits, or missing rights.
 */
export async function preparePostgres(client: pg.Client): Promise<'created' | 'present'> {
  await refuseVolatile(client);
  await client.query('BEGIN');
  try {
    await client.query("SELECT pg_advisory_xact_lock(hashtext('ledger schema'))");
    const outcome = await createOrCheck(client);
    await client.query('COMMIT');
    return outcome;
  } catch (error) {
    await client.query('ROLLBACK');
    throw (error as { code?: unknown }).code === '42501' ? notTheOwner(error) : error;
  }
}

function notTheOwner(cause: unknown): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: 'The role of II_LEDGER may not make or read the tables of the ledger.',
    hint: 'Let the role that owns the database run issuer-serve ledger service-role <role> first.',
    cause,
  });
}

async function createOrCheck(client: pg.Client): Promise<'created' | 'present'> {
  const found = await checkVersion(client);
  if (found === 'absent') {
    await client.query(readFileSync(new URL('./ledger.sql', import.meta.url), 'utf8'));
    await client.query(fillTransitions);
    await client.query(readFileSync(new URL('./functions.sql', import.meta.url), 'utf8'));
  }
  const added = await client.query("SELECT 1 FROM ledger_meta WHERE key = 'additions'");
  if (added.rowCount === 0)
    await client.query(readFileSync(new URL('./additions.sql', import.meta.url), 'utf8'));
  const aliases = await client.query("SELECT to_regclass('payment_aliases') AS found");
  if (aliases.rows[0]?.found === null)
    await client.query(readFileSync(new URL('./aliases.sql', import.meta.url), 'utf8'));
  return found === 'absent' ? 'created' : 'present';
}

/**
 * Says whether a database is empty or a ledger of this version, and whether it keeps what it commits; changes
 * nothing.
 *
 * @throws IssuerError `configuration`, as `preparePostgres` does.
 */
export async function inspectPostgres(client: pg.Client): Promise<'absent' | 'present'> {
  await refuseVolatile(client);
  return checkVersion(client);
}

async function checkVersion(client: pg.Client): Promise<'absent' | 'present'> {
  const known = await client.query("SELECT to_regclass('ledger_meta') IS NOT NULL AS known");
  if (known.rows[0]?.known !== true) return 'absent';
  const found = await client.query("SELECT value FROM ledger_meta WHERE key = 'schema_version'");
  const version = String(found.rows[0]?.value);
  if (version === schemaVersion) return 'present';
  throw new IssuerError({
    code: 'configuration',
    message: `The ledger has schema version ${version}; this program reads version ${schemaVersion}.`,
    hint: 'Run the version of the program that wrote the ledger, or newer.',
  });
}

async function refuseVolatile(client: pg.Client): Promise<void> {
  const found = await client.query(
    "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commits",
  );
  const { fsync, commits } = found.rows[0] as { fsync: string; commits: string };
  const wrong = [
    ...(fsync === 'on' ? [] : [`fsync = ${fsync}`]),
    ...(durable.includes(commits) ? [] : [`synchronous_commit = ${commits}`]),
  ];
  if (wrong.length === 0) return;
  throw new IssuerError({
    code: 'configuration',
    message: `The ledger database runs with ${wrong.join(' and ')}, which loses commits.`,
    hint: 'Set fsync = on and synchronous_commit = on, remote_write or remote_apply.',
  });
}
