import { readFileSync } from 'node:fs';
import pg from 'pg';
import { IssuerError } from '../../../../data/contract/errors/issuerError.ts';
import { postgresDatabase } from '../postgresDatabase.ts';
import { preparePostgres } from './postgresSchema.ts';

/**
 * Creates the schema where there is none and gives a role the rights of the service, and no others (P8.19). The
 * connection is the owner's; the role exists.
 *
 * @throws IssuerError `configuration` when the connection's role does not own the tables, or the role does not exist.
 */
export async function grantServiceRole({
  connection,
  role,
}: {
  connection: string;
  role: string;
}): Promise<'created' | 'present'> {
  const database = postgresDatabase({ connection, application: 'service-role' });
  try {
    const client = await database.client();
    try {
      const schema = await preparePostgres(client);
      // a role that may not give rights is only warned
      const owner = await client.query(
        "SELECT pg_has_role(relowner, 'MEMBER') AS ours FROM pg_class WHERE oid = 'receipts'::regclass",
      );
      if (owner.rows[0]?.['ours'] !== true) throw refused('this role does not own the tables');
      await client.query('BEGIN');
      await client.query("SELECT set_config('ledger.service_role', $1, true)", [role]);
      await client.query(readFileSync(new URL('./serviceRole.sql', import.meta.url), 'utf8'));
      const rights = await client.query(
        `SELECT has_database_privilege($1, current_database(), 'TEMPORARY')
          OR has_schema_privilege($1, current_schema(), 'CREATE')
          OR has_table_privilege($1, 'receipts', 'DELETE, TRUNCATE') AS too_many`,
        [role],
      );
      if (rights.rows[0]?.['too_many'] === true) throw tooMany(role);
      await client.query('COMMIT');
      return schema;
    } finally {
      await client.end();
    }
  } catch (error) {
    throw error instanceof pg.DatabaseError && refusals.has(error.code ?? '')
      ? refused(error.message, error)
      : error;
  } finally {
    await database.close();
  }
}

/** SQLSTATE: no such role; not the owner's role. */
const refusals = new Set(['42704', '42501']);

function refused(why: string, cause?: Error): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `The rights were not given: ${why}.`,
    hint: 'Let II_LEDGER name the role that owns the tables, and make the service role first: CREATE ROLE … LOGIN.',
    cause,
  });
}

function tooMany(role: string): IssuerError {
  return new IssuerError({
    code: 'configuration',
    message: `The role ${role} keeps rights that were not given here: it can create tables, or delete receipts.`,
    hint: 'It must be no superuser, own neither database nor tables, and be a member of no role that does. The role of II_LEDGER has to own the database.',
  });
}
