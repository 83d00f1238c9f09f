import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

// S29: SQL only through prepared statements. The scan reads the syntax tree of every module of the server.
const root = fileURLToPath(new URL('../', import.meta.url));
const modules = globSync('**/*.ts', { cwd: root }).filter((name) => !name.endsWith('.test.ts'));
const sqlStart = /^\s*(select|insert|update|delete|replace|create|drop|alter|pragma|begin|with|attach)\s/i;

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

/** What `prepare` and `exec` are called with in a module of the database, unless it is one literal. */
function unpreparedCalls(file: ts.SourceFile): string[] {
  if (!/from 'node:sqlite'/.test(file.text)) return [];
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
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    if (!['prepare', 'exec'].includes(node.expression.name.text)) return;
    const [sql] = node.arguments;
    if (sql === undefined || ts.isStringLiteralLike(sql) || literals.has(sql.getText(file))) return;
    found.push(sql.getText(file));
  });
  return found;
}

test('the server builds no SQL from parts and prepares literals only (S29)', () => {
  const offenders = modules.flatMap((name) => {
    const file = parse(name, readFileSync(`${root}${name}`, 'utf8'));
    return [...builtSql(file), ...unpreparedCalls(file)].map((sql) => `${name}: ${sql}`);
  });
  expect(modules.filter((name) => name.startsWith('ledger/sqlite/')).length).toBeGreaterThanOrEqual(8);
  // the one text that is no literal: the schema, a file beside the code
  expect(offenders).toEqual([
    "ledger/sqlite/applySchema.ts: readFileSync(new URL('./ledger.sql', import.meta.url), 'utf8')",
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
  expect(unpreparedCalls(bad)).toHaveLength(3);
});
