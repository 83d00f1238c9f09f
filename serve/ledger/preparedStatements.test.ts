import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

// S29: SQL only through prepared statements. The scan reads the syntax tree of every module of the server.
const root = fileURLToPath(new URL('../', import.meta.url));
const modules = globSync('**/*.ts', { cwd: root }).filter(
  (name) => !name.endsWith('.test.ts') && !name.startsWith('ledger/conformance/'),
);
// `with` begins a statement only before `name as`: sentences begin with it too
const sqlStart =
  /^\s*(select|insert|update|delete|replace|create|drop|alter|pragma|begin|attach|with\s+(recursive\s+)?\w+\s+as)\s/i;

function parse(name: string, text: string): ts.SourceFile {
  return ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true);
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

/** The SQL texts a module builds from parts: templates with holes, or concatenations. */
function builtSql(file: ts.SourceFile): string[] {
  const found: string[] = [];
  walk(file, (node) => {
    if (ts.isTemplateExpression(node) && sqlStart.test(node.head.text)) found.push(node.getText(file));
    const concatenated = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
    if (concatenated && ts.isStringLiteralLike(node.left) && sqlStart.test(node.left.text)) {
      found.push(node.getText(file));
    }
  });
  return found;
}

const sqliteCalls = ['prepare', 'exec'];
const postgresCalls = ['query', 'rows', 'row', 'value'];

/** What the statement calls of a ledger module are given, unless it is one literal. */
function unpreparedCalls(file: ts.SourceFile, names: readonly string[]): string[] {
  const literals = new Set<string>();
  walk(file, (node) => {
    const literal =
      ts.isVariableDeclaration(node) &&
      node.initializer !== undefined &&
      ts.isStringLiteralLike(node.initializer);
    if (literal) literals.add(node.name.getText(file));
  });
  const found: string[] = [];
  walk(file, (node) => {
    if (!ts.isCallExpression(node)) return;
    const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
    if (!ts.isIdentifier(callee) || !names.includes(callee.text)) return;
    const [sql] = node.arguments;
    if (sql === undefined || ts.isStringLiteralLike(sql) || literals.has(sql.getText(file))) return;
    found.push(sql.getText(file).replace(/\s+/g, ' '));
  });
  return found;
}

function statementCallsOf(name: string): readonly string[] {
  if (name.startsWith('ledger/postgres/')) return postgresCalls;
  return name.startsWith('ledger/sqlite/') ? sqliteCalls : [];
}

test('the server builds no SQL from parts and prepares literals only (S29)', () => {
  const offenders = modules.flatMap((name) => {
    const file = parse(name, readFileSync(`${root}${name}`, 'utf8'));
    const calls = unpreparedCalls(file, statementCallsOf(name));
    return [...builtSql(file), ...calls].map((sql) => `${name}: ${sql}`);
  });
  expect(modules.filter((name) => name.startsWith('ledger/sqlite/')).length).toBeGreaterThanOrEqual(8);
  expect(modules.filter((name) => name.startsWith('ledger/postgres/')).length).toBeGreaterThanOrEqual(8);
  // texts that are literals elsewhere: the schemas beside the code, the rules of the books, and the driver's own
  // object of text and values
  expect(offenders.sort()).toEqual([
    'ledger/postgres/postgresBooks.ts: countsSql',
    'ledger/postgres/postgresBooks.ts: rule.sql',
    'ledger/postgres/postgresDatabase.ts: sql',
    'ledger/postgres/postgresDatabase.ts: sql',
    'ledger/postgres/postgresDatabase.ts: { name: nameOf(sql), text: sql, values: [...values] }',
    'ledger/postgres/postgresDay.ts: query.sql',
    "ledger/postgres/postgresSchema.ts: readFileSync(new URL('./additions.sql', import.meta.url), 'utf8')",
    "ledger/postgres/postgresSchema.ts: readFileSync(new URL('./functions.sql', import.meta.url), 'utf8')",
    "ledger/postgres/postgresSchema.ts: readFileSync(new URL('./ledger.sql', import.meta.url), 'utf8')",
    "ledger/postgres/serviceRole.ts: readFileSync(new URL('./serviceRole.sql', import.meta.url), 'utf8')",
    "ledger/sqlite/applySchema.ts: readFileSync(new URL('./additions.sql', import.meta.url), 'utf8')",
    "ledger/sqlite/applySchema.ts: readFileSync(new URL('./ledger.sql', import.meta.url), 'utf8')",
    'ledger/sqlite/sqliteBooks.ts: countsSql',
    'ledger/sqlite/sqliteBooks.ts: rule.sql',
    'ledger/sqlite/sqliteDay.ts: query.sql',
  ]);
});

test('the scan sees what it forbids', () => {
  const bad = parse(
    'bad.ts',
    "import { DatabaseSync } from 'node:sqlite';\n" +
      'db.prepare(`SELECT * FROM t WHERE id = ${' +
      "id}`);\ndb.exec('DELETE FROM t WHERE id = ' + id);\nconst q = make(id);\ndb.prepare(q);",
  );
  expect(builtSql(bad)).toHaveLength(2);
  expect(unpreparedCalls(bad, sqliteCalls)).toHaveLength(3);
});
