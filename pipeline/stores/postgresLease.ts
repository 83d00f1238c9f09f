import pg from 'pg';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';

/** The right to publish into a store; one holder at a time (STORE ST16). */
export type Lease = {
  /** @throws IssuerError `locked` when it is not held any more */
  assertHeld(): Promise<void>;
  release(): Promise<void>;
};

const waitMs = 10_000;

/**
 * Takes the lease as an advisory lock of a session in the ledger's database: it ends with the session, however that ends.
 *
 * @param connection a `postgres://` URL; it is never shown
 * @param subject the store it is about
 * @throws IssuerError `locked` while another session has it, `store_unavailable` when the database does not answer
 */
export async function postgresLease({
  connection,
  subject,
}: Record<'connection' | 'subject', string>): Promise<Lease> {
  const client = new pg.Client({
    connectionString: connection,
    application_name: 'issuer nightly',
    connectionTimeoutMillis: waitMs,
    query_timeout: waitMs,
    keepAlive: true,
  });
  // a session that breaks is found by the next look at it
  client.on('error', () => undefined);
  const ask = async (sql: string): Promise<boolean> => {
    const { rows } = await client.query<{ held: boolean }>(sql, [subject]);
    return rows[0]?.held === true;
  };
  const end = () => client.end().catch(() => undefined);
  try {
    await client.connect();
    if (await ask("SELECT pg_try_advisory_lock(hashtext('issuer publication'), hashtext($1)) AS held")) {
      return {
        async assertHeld() {
          await ask('SELECT $1::text IS NOT NULL AS held').catch((cause: unknown) => {
            throw lost(subject, cause);
          });
        },
        release: async () => void (await end()),
      };
    }
  } catch (cause) {
    await end();
    throw away(cause);
  }
  await end();
  throw new IssuerError({
    code: 'locked',
    message: `The right to publish into ${subject} is held by another run (advisory lock of the ledger's database).`,
    hint: 'Try again when that run is done.',
  });
}

function lost(subject: string, cause: unknown): IssuerError {
  return new IssuerError({
    code: 'locked',
    message: `The session that held the right to publish into ${subject} has ended.`,
    hint: 'Nothing was published. Run the same command again; it goes on where it stopped.',
    cause,
  });
}

function away(cause: unknown): IssuerError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer';
  return new IssuerError({
    code: 'store_unavailable',
    message: `The ledger's database, which holds the right to publish, does not answer (${code.slice(0, 40)}).`,
    hint: 'Check that II_LEDGER names it and that it runs; without a PostgreSQL ledger the bucket itself holds the right.',
    cause,
  });
}
