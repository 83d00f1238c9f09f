import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

// S29: SQL only through prepared statements. The scan reads the syntax tree of every module of the server.
const root = fileURLToPath(new URL('../', import.meta.url));
const modules = globSync('**/*.ts', { cwd: root }).filter((name) => !name.endsWith('.test.ts'));
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

const sqliteCalls = ['prepare', 'exec', 'prepareNamed'];
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

test('the server prepares literals and the listed constants only (S29)', () => {
  const offenders = modules.flatMap((name) => {
    const file = parse(name, readFileSync(`${root}${name}`, 'utf8'));
    const calls = unpreparedCalls(file, statementCallsOf(name));
    return [...builtSql(file), ...calls].map((sql) => `${name}: ${sql}`);
  });
  expect(modules.filter((name) => name.startsWith('ledger/sqlite/')).length).toBeGreaterThanOrEqual(8);
  expect(modules.filter((name) => name.startsWith('ledger/postgres/')).length).toBeGreaterThanOrEqual(8);
  // texts that are fixed when their modules load: the schemas beside the code, the inserts of the column table, the
  // transitions of the contract, the statements of both databases (see below), and the driver's own object
  expect(offenders.sort()).toEqual([
    "ledger/books/bookRules.ts: `SELECT receipt_id AS subject, settlement_mode || ' ' || charge_status AS detail FROM receipts\n      WHERE NOT ${statusFitsMode}`",
    'ledger/postgres/postgresDatabase.ts: sql',
    'ledger/postgres/postgresDatabase.ts: sql',
    'ledger/postgres/postgresDatabase.ts: sql',
    'ledger/postgres/postgresDatabase.ts: { name: nameOf(pool, sql), text: sql, values: [...values] }',
    'ledger/postgres/runSteps.ts: exportCursor',
    'ledger/postgres/runSteps.ts: sql',
    'ledger/postgres/runSteps.ts: step',
    'ledger/postgres/runSteps.ts: step.statement.lockingSql',
    "ledger/postgres/schema/postgresSchema.ts: ledgerTables(new URL('./ledger.sql', import.meta.url))",
    "ledger/postgres/schema/postgresSchema.ts: readFileSync(new URL('./functions.sql', import.meta.url), 'utf8')",
    "ledger/postgres/schema/serviceRole.ts: readFileSync(new URL('./serviceRole.sql', import.meta.url), 'utf8')",
    'ledger/sqlite/calls/holdCalls.ts: insertReceiptSql',
    'ledger/sqlite/calls/inserts.ts: `INSERT INTO payments ${insertList(paymentTable)} ON CONFLICT DO NOTHING`',
    'ledger/sqlite/calls/inserts.ts: `INSERT INTO receipts ${insertList(receiptTable)}`',
    'ledger/sqlite/calls/inserts.ts: text',
    'ledger/sqlite/calls/writerCalls.ts: insertPaymentSql',
    'ledger/sqlite/calls/writerCalls.ts: insertReceiptSql',
    'ledger/sqlite/reads/sqliteBooks.ts: positional(exportRows.sql).sql',
    'ledger/sqlite/runSteps.ts: sql',
    "ledger/sqlite/schema/applySchema.ts: ledgerTables(new URL('./ledger.sql', import.meta.url))",
    'ledger/sqlite/writer/serveWriter.ts: insertReceiptOnceSql',
  ]);
});

/** Names a module imports from the schema room: constants made of the contract's own words. */
function schemaConstants(file: ts.SourceFile): ReadonlySet<string> {
  const found = new Set<string>();
  walk(file, (node) => {
    if (!ts.isImportDeclaration(node) || !node.moduleSpecifier.getText(file).includes('/schema/')) return;
    walk(node, (name) => {
      if (ts.isImportSpecifier(name)) found.add(name.name.text);
    });
  });
  return found;
}

/** Statements of both databases that are made at run time: within a function, or of a text that is not fixed. */
function lateStatements(file: ts.SourceFile): string[] {
  const constants = schemaConstants(file);
  const isFixed = (sql: ts.Node) =>
    ts.isStringLiteralLike(sql) ||
    (ts.isTemplateExpression(sql) &&
      sql.templateSpans.every(({ expression }) => constants.has(expression.getText(file))));
  const found: string[] = [];
  walk(file, (node) => {
    if (!ts.isCallExpression(node) || node.expression.getText(file) !== 'statement') return;
    const [sql] = node.arguments;
    const late = ts.findAncestor(node, ts.isFunctionLike) !== undefined;
    if (late || sql === undefined || !isFixed(sql)) found.push(node.getText(file).replace(/\s+/g, ' '));
  });
  return found;
}

test('every statement of both databases is fixed when its module loads (S29)', () => {
  const files = modules
    .filter((name) => name.startsWith('ledger/'))
    .map((name) => parse(name, readFileSync(`${root}${name}`, 'utf8')));
  const texts = files.map((file) => file.text).join('\n');
  expect(texts.match(/\bstatement\(/g)?.length ?? 0).toBeGreaterThan(80);
  expect(files.flatMap(lateStatements)).toEqual([]);
  const bad = parse(
    'bad.ts',
    'const a = statement(`SELECT ${' + "id}`);\nfunction f() { return statement('SELECT 1'); }",
  );
  expect(lateStatements(bad)).toHaveLength(2);
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
