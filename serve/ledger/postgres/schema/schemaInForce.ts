import { readFileSync } from 'node:fs';
import type { BookProblem } from '../../port/books.ts';
import type { PostgresDatabase } from '../postgresDatabase.ts';

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

function problem(subject: string, detail: string): BookProblem {
  return { rule: 'schema_in_force', subject, detail };
}
