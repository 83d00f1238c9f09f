import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { manualTime } from '../../fixtures/rigs/ledger/ledgerManualTime.ts';
import { keyRing } from '../keys/keyRing.ts';
import { systemTime } from '../ledger/openLedger.ts';
import { sqliteLedger } from '../ledger/sqlite/sqliteLedger.ts';
import { mountKeysCommands } from './keysCommands.ts';

let directory: string;
let printed: string[];
let logged: string[];
let time: ReturnType<typeof manualTime>;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'keys-'));
  printed = [];
  logged = [];
  time = manualTime(Date.parse('2026-02-07T10:00:00Z'));
});
afterEach(() => rmSync(directory, { recursive: true }));

async function openLedger() {
  const ledger = sqliteLedger({
    path: join(directory, 'ledger.db'),
    time: systemTime,
    log: (line) => logged.push(JSON.stringify(line)),
    onFatal: (error) => {
      throw error;
    },
  });
  await ledger.open();
  return ledger;
}

async function run(...args: string[]): Promise<Record<string, unknown>[]> {
  printed = [];
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  mountKeysCommands(program, async () => ({
    openLedger,
    time,
    write: (text) => printed.push(text),
    log: (line) => logged.push(JSON.stringify(line)),
  }));
  for (const command of program.commands.flatMap((c) => [c, ...c.commands])) {
    command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  }
  await program.parseAsync(['keys', ...args], { from: 'user' });
  return printed
    .join('')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

test('a key is created, shown once, accepted by the ring, and listed without its secret (I5.51, I5.52)', async () => {
  const [created] = await run(
    'create',
    '--label',
    'desk',
    '--scopes',
    'mcp,rest',
    '--expires',
    '2027-01-01',
    '--as',
    'ada',
  );
  const text = String(created?.['api_key']);
  expect(created).toEqual({
    api_key: expect.stringMatching(/^iik_[A-Z2-7]{10}_[A-Za-z0-9_-]{43}$/),
    key_id: text.slice(4, 14),
    label: 'desk',
    scopes: ['rest', 'mcp'],
    created_at_utc: '2026-02-07T10:00:00Z',
    created_by: 'operator:ada',
    expires_at_utc: '2027-01-01T00:00:00Z',
    replaces: null,
    // a server asks the ledger again after 4.5 s (P6.3)
    accepted_within_seconds: 5,
  });
  expect(printed).toHaveLength(1);

  expect(await run('list')).toEqual([
    {
      key_id: text.slice(4, 14),
      label: 'desk',
      scopes: ['rest', 'mcp'],
      status: 'active',
      created_at_utc: '2026-02-07T10:00:00Z',
      created_by: 'operator:ada',
      expires_at_utc: '2027-01-01T00:00:00Z',
      revoked_at_utc: null,
      revoked_by: null,
      replaced_by: null,
      last_used_at_utc: null,
    },
  ]);

  const ledger = await openLedger();
  const ring = keyRing({ keys: ledger.keys, time, log: () => {} });
  await ring.start();
  expect(ring.check(text)).toMatchObject({ kind: 'valid', scopes: ['rest', 'mcp'] });
  ring.stop();
  await ledger.close();
  const [used] = await run('list');
  expect(used?.['last_used_at_utc']).toBe('2026-02-07T10:00:00Z');
});

test('neither the log nor any file of the ledger holds the secret (S16, P6.7)', async () => {
  const [created] = await run('create', '--label', 'desk', '--as', 'ada');
  const text = String(created?.['api_key']);
  const secret = text.slice(15);
  expect(logged).toHaveLength(1);
  expect(JSON.parse(logged[0] ?? '')).toEqual({
    level: 'info',
    event: 'api_key_created',
    fields: { key_id: text.slice(4, 14), operator: 'operator:ada', scopes: 'rest', replaces: null },
  });
  const bytes = Buffer.from(secret, 'base64url');
  for (const name of readdirSync(directory)) {
    const content = readFileSync(join(directory, name));
    expect(content.includes(secret)).toBe(false);
    expect(content.includes(bytes)).toBe(false);
  }
});

test('a revoked key says when and by whom, and a second time changes neither (P6.2)', async () => {
  const [created] = await run('create', '--label', 'desk', '--as', 'ada');
  const id = String(created?.['key_id']);
  time.advance(5000);
  expect(await run('revoke', id, '--as', 'grace')).toEqual([
    {
      key_id: id,
      outcome: 'revoked',
      revoked_at_utc: '2026-02-07T10:00:05Z',
      revoked_by: 'operator:grace',
      operator: 'operator:grace',
    },
  ]);
  time.advance(5000);
  expect(await run('revoke', `iik_${id}`, '--as', 'ada')).toEqual([
    {
      key_id: id,
      outcome: 'already_revoked',
      revoked_at_utc: '2026-02-07T10:00:05Z',
      revoked_by: 'operator:grace',
      operator: 'operator:ada',
    },
  ]);
  expect(logged.filter((line) => line.includes('api_key_revoked'))).toHaveLength(2);
  expect((await run('list'))[0]).toMatchObject({ status: 'revoked', revoked_by: 'operator:grace' });
});

test('a successor is pointed at by the key it replaces (P6.5)', async () => {
  const [old] = await run('create', '--label', 'old', '--as', 'ada');
  const id = String(old?.['key_id']);
  const [next] = await run('create', '--label', 'new', '--replaces', id, '--as', 'ada');
  const listed = await run('list');
  expect(listed.find((row) => row['key_id'] === id)).toMatchObject({
    replaced_by: next?.['key_id'],
    status: 'active',
  });
  await expect(
    run('create', '--label', 'x', '--replaces', 'AAAAAAAAAA', '--as', 'ada'),
  ).rejects.toMatchObject({
    code: 'usage',
  });
  expect(await run('list')).toHaveLength(2);
});

test('a key that expires today at noon is listed as expired from noon on', async () => {
  await run('create', '--label', 'desk', '--expires', '2026-02-07T12:00:00Z', '--as', 'ada');
  time.advance(2 * 3_600_000 - 1);
  expect((await run('list'))[0]).toMatchObject({ status: 'active' });
  time.advance(1);
  expect((await run('list'))[0]).toMatchObject({ status: 'expired' });
});

test.each([
  ['an unknown scope', ['create', '--label', 'x', '--scopes', 'rest,admin', '--as', 'ada']],
  ['an empty scope', ['create', '--label', 'x', '--scopes', '', '--as', 'ada']],
  ['a day that does not exist', ['create', '--label', 'x', '--expires', '2026-02-30', '--as', 'ada']],
  ['a past day', ['create', '--label', 'x', '--expires', '2026-02-07', '--as', 'ada']],
  ['a label with a line break', ['create', '--label', 'x\ny', '--as', 'ada']],
  ['an empty label', ['create', '--label', '', '--as', 'ada']],
  ['an operator with a blank', ['create', '--label', 'x', '--as', 'ada lovelace']],
  ['an unknown key', ['revoke', 'AAAAAAAAAA', '--as', 'ada']],
  ['a key id of the wrong shape', ['revoke', 'aaaaaaaaaa', '--as', 'ada']],
])('%s is a usage error and changes nothing', async (_name, args) => {
  await expect(run(...args)).rejects.toMatchObject({ code: 'usage', hint: expect.stringMatching(/.+/) });
  expect(printed).toEqual([]);
  expect(await run('list')).toEqual([]);
});

test('every change needs the operator’s name (I5.51)', async () => {
  await expect(run('create', '--label', 'x')).rejects.toMatchObject({
    code: 'commander.missingMandatoryOptionValue',
  });
  await expect(run('revoke', 'AAAAAAAAAA')).rejects.toMatchObject({
    code: 'commander.missingMandatoryOptionValue',
  });
});

test('a secret on the command line is refused and not repeated (I5.52)', async () => {
  const [created] = await run('create', '--label', 'desk', '--as', 'ada');
  const text = String(created?.['api_key']);
  const attempts = [
    ['revoke', text, '--as', 'ada'],
    ['create', '--label', text, '--as', 'ada'],
    ['create', '--label', 'x', '--replaces', text, '--as', 'ada'],
    ['create', '--label', 'x', '--as', text],
  ];
  for (const args of attempts) {
    const error = await run(...args).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'usage' });
    expect(JSON.stringify(error) + String(error)).not.toContain(text.slice(15));
  }
  expect(logged.join('')).not.toContain(text.slice(15));
});
