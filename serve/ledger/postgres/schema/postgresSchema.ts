import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import type { BookProblem } from '../../port/books.ts';
import { ledgerTables, otherVersion, problem, schemaVersion } from '../../schema/ledgerSchema.ts';
import type { PostgresDatabase } from '../postgresDatabase.ts';

const durable = ['on', 'remote_write', 'remote_apply'];

/**
 * Creates the schema in an empty database, and refuses one of another version or that would lose commits (P8.14). Two servers may do this at once: an advisory lock decides.
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
    // a connection that broke has nothing to roll back
    await client.query('ROLLBACK').catch(() => {});
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
  if ((await checkVersion(client)) === 'present') return 'present';
  await client.query(ledgerTables(new URL('./ledger.sql', import.meta.url)));
  await client.query(readFileSync(new URL('./functions.sql', import.meta.url), 'utf8'));
  return 'created';
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
  if (version !== schemaVersion) throw otherVersion(version);
  return 'present';
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

/**
 * What of the rules a PostgreSQL ledger has lost: triggers that are missing, switched off or call something else than
 * this program made, trigger functions that read otherwise, and triggers it does not know (P8.26, S11).
 */
export async function schemaInForce(query: PostgresDatabase['rows']): Promise<BookProblem[]> {
  const rows = await query(
    `SELECT c.relname AS place, t.tgname AS name, p.proname AS function, p.prosrc AS body, t.tgenabled IN ('O','A') AS enabled
      FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace ORDER BY 1, 2`,
  );
  const found = new Map(rows.map((row) => [`trigger ${row['name']} on ${row['place']}`, row]));
  const { triggers, bodies } = lawfulRules();
  const lost = [...triggers].flatMap(([subject, name]) => {
    const row = found.get(subject);
    if (row === undefined) return [problem(subject, 'missing')];
    if (row['enabled'] !== true) return [problem(subject, 'disabled')];
    const same = row['function'] === name && row['body'] === bodies.get(name);
    return same ? [] : [problem(subject, 'changed')];
  });
  const foreign = [...found.keys()].filter((subject) => !triggers.has(subject));
  return [...lost, ...foreign.map((subject) => problem(subject, 'unknown'))];
}

/** The triggers of the schema with the functions they call, and the bodies of its functions. */
function lawfulRules(): {
  readonly triggers: ReadonlyMap<string, string>;
  readonly bodies: ReadonlyMap<string, string>;
} {
  const text = ['./ledger.sql', './functions.sql']
    .map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
    .join('\n');
  const triggers = text.matchAll(
    /^CREATE TRIGGER (\w+) (?:BEFORE|AFTER) [^;]*? ON (\w+)\s[^;]*?EXECUTE FUNCTION (\w+)\(/gm,
  );
  const bodies = text.matchAll(/^CREATE FUNCTION (\w+)\([^;]*?\$\$(.*?)\$\$;/gms);
  return {
    triggers: new Map(
      [...triggers].map(([, name, place, called]) => [`trigger ${name} on ${place}`, called ?? '']),
    ),
    bodies: new Map([...bodies].map(([, name, body]) => [name ?? '', body ?? ''])),
  };
}
