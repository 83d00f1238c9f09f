import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { grantPrograms, grantSessionAnswer } from '../../data/contract/billing/grants.ts';
import { manualTime } from '../../fixtures/rigs/ledger/ledgerManualTime.ts';
import { writerHere } from '../../fixtures/rigs/ledger/writerHere.ts';
import { exampleHold, exampleSession } from '../../fixtures/rigs/ledgerConformance/examples.ts';
import { grantTokens } from '../grants/grantToken.ts';
import { systemTime } from '../ledger/openLedger.ts';
import { sqliteLedger } from '../ledger/sqlite/sqliteLedger.ts';
import { ulidGenerator } from '../ledger/ulid.ts';
import { mountGrantsCommands } from './grantsCommands.ts';

const wallet = '0x1111111111111111111111111111111111111111';
const other = '0x2222222222222222222222222222222222222222';
let directory: string;
let printed: string[];
let logged: string[];
let time: ReturnType<typeof manualTime>;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'grants-'));
  logged = [];
  time = manualTime(Date.parse('2026-02-07T10:00:00Z'));
});
afterEach(() => rmSync(directory, { recursive: true }));

async function openLedger() {
  const path = join(directory, 'ledger.db');
  const ledger = sqliteLedger({
    path,
    spawn: writerHere(path),
    time: systemTime,
    log: (line) => logged.push(JSON.stringify(line)),
    onFatal: (error) => {
      throw error;
    },
  });
  await ledger.open();
  return ledger;
}

const secrets = [{ kid: 'k1', secret: Buffer.alloc(32, 1) }] as const;
const tokens = () => grantTokens({ secrets, audience: 'api.example.com', nowMs: () => time.nowMs() });

async function run(...args: string[]): Promise<Record<string, unknown>[]> {
  printed = [];
  const root = new Command().exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  mountGrantsCommands(root, async () => ({
    openLedger,
    tokens,
    time,
    write: (text) => printed.push(text),
    log: (line) => logged.push(JSON.stringify(line)),
    ulid: ulidGenerator({ nowMs: () => time.nowMs() }),
  }));
  for (const command of root.commands.flatMap((c) => [c, ...c.commands]))
    command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  await root.parseAsync(['grants', ...args], { from: 'user' });
  const lines = printed.join('').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
}

const as = ['--as', 'ada'];
async function enrol(...args: string[]): Promise<string> {
  const [grant] = await run(
    'create',
    '--program',
    'design_partner_alpha',
    '--wallet',
    wallet,
    ...args,
    ...as,
  );
  return String(grant?.['grant_id']);
}

describe('grants create', () => {
  test("enrols with the program's budget, routes and 30 days (I5.43)", async () => {
    const [grant] = await run('create', '--program', 'design_partner_alpha', '--wallet', wallet, ...as);
    expect(grant).toMatchObject({
      grant_program: 'design_partner_alpha',
      grant_status: 'active',
      wallet,
      account_id: null,
      grant_budget_usd: 100,
      grant_remaining_usd: 100,
      grant_expires_at: '2026-03-09T10:00:00Z',
      covered_routes: grantPrograms.design_partner_alpha.recommended_default_routes,
    });
    time.advance(1000);
    const founding = ['--program', 'founding_user_credit', '--account', 'desk-1', '--wallet', other];
    expect((await run('create', ...founding, ...as))[0]).toMatchObject({
      account_id: 'desk-1',
      wallet: other,
      grant_budget_usd: 25,
      covered_routes: grantPrograms.founding_user_credit.recommended_default_routes,
    });
    expect((await run('list')).map((one) => one['grant_program'])).toEqual([
      'design_partner_alpha',
      'founding_user_credit',
    ]);
  });

  test('takes a budget outside the range only when the operator insists (I5.43)', async () => {
    await expect(enrol('--budget', '99.999999')).rejects.toMatchObject({ code: 'usage' });
    await expect(enrol('--budget', '250.01')).rejects.toMatchObject({ code: 'usage' });
    const id = await enrol('--budget', '0.1', '--override-range');
    expect((await run('show', id))[0]).toMatchObject({ grant_budget_usd: 0.1 });
  });

  test.each([
    [['--program', 'gold', '--wallet', wallet]],
    [['--program', 'design_partner_alpha']],
    [['--program', 'design_partner_alpha', '--wallet', wallet, '--account', 'desk-1']],
    [['--program', 'founding_user_credit', '--wallet', wallet]],
    [['--program', 'founding_user_credit', '--account', 'x']],
    [['--program', 'design_partner_alpha', '--wallet', '0x12']],
    [['--program', 'design_partner_alpha', '--wallet', wallet, '--routes', 'GET /v1/nothing']],
    [['--program', 'design_partner_alpha', '--wallet', wallet, '--routes', 'GET /v1/pricing']],
    [['--program', 'design_partner_alpha', '--wallet', wallet, '--routes', 'GET /mpp/v1/readiness']],
    [['--program', 'design_partner_alpha', '--wallet', wallet, '--days', '0']],
    [['--program', 'design_partner_alpha', '--wallet', wallet, '--budget', '1e2']],
  ])('refuses %j', async (args) => {
    await expect(run('create', ...args, ...as)).rejects.toMatchObject({ code: 'usage' });
    expect(await run('list')).toEqual([]);
  });

  test('needs a name for the journal, and one live grant a wallet and program', async () => {
    const args = ['--program', 'design_partner_alpha', '--wallet', wallet];
    await expect(run('create', ...args)).rejects.toThrow(/--as/);
    await expect(run('create', ...args, '--as', 'a b')).rejects.toMatchObject({ code: 'usage' });
    await enrol();
    await expect(enrol()).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('changes of a grant (I3.13)', () => {
  test('suspend, resume, extend, topup, routes, link-wallet and revoke are journalled', async () => {
    const id = await enrol();
    const status = async (...args: string[]) => (await run(...args, id, ...as))[0]?.['grant_status'];
    expect(await status('suspend')).toBe('suspended');
    expect(await status('resume')).toBe('active');
    expect((await run('topup', id, '--usd', '50.5', ...as))[0]).toMatchObject({ grant_budget_usd: 150.5 });
    await expect(run('topup', id, '--usd', '100', ...as)).rejects.toMatchObject({ code: 'usage' });
    expect((await run('extend', id, '--until', '2026-05-01', ...as))[0]).toMatchObject({
      grant_expires_at: '2026-05-01T00:00:00Z',
    });
    const set = 'GET /v1/readiness,GET /v1/pricing';
    expect((await run('routes', id, '--set', set, ...as))[0]).toMatchObject({
      covered_routes: ['GET /v1/readiness', 'GET /v1/pricing'],
    });
    expect((await run('link-wallet', id, other, ...as))[0]).toMatchObject({ wallet: other });
    expect(await status('revoke')).toBe('revoked');
    await expect(run('resume', id, ...as)).rejects.toMatchObject({ code: 'usage' });
    const [grant] = await run('show', id);
    const journal = grant?.['journal'] as { kind: string; actor: string }[];
    expect(journal.map(({ kind, actor }) => `${kind} ${actor}`)).toEqual([
      'created operator:ada',
      'status operator:ada',
      'status operator:ada',
      'topup operator:ada',
      'extend operator:ada',
      'routes operator:ada',
      'wallet operator:ada',
      'status operator:ada',
    ]);
  });

  test('an expired grant comes back with a later end, and with no earlier one', async () => {
    const id = await enrol('--days', '1');
    time.advance(86_400_000);
    expect((await run('show', id))[0]).toMatchObject({ grant_status: 'expired' });
    await expect(run('extend', id, '--until', '2026-02-08', ...as)).rejects.toMatchObject({ code: 'usage' });
    await expect(run('extend', id, '--until', 'soon', ...as)).rejects.toMatchObject({ code: 'usage' });
    expect((await run('extend', id, '--until', '2026-02-09', ...as))[0]).toMatchObject({
      grant_status: 'active',
    });
  });

  test('a grant nobody enrolled is exit code 3, a misspelled id is usage', async () => {
    const nobody = `grt_${'0'.repeat(26)}`;
    for (const args of [
      ['show', nobody],
      ['debits', nobody],
      ['suspend', nobody, ...as],
    ])
      await expect(run(...args)).rejects.toMatchObject({ code: 'input_missing' });
    await expect(run('show', 'grt_1')).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('grants debits', () => {
  test('prints each debit by the names of the contract, oldest first (P7.18, P7.10)', async () => {
    const grantId = await enrol('--days', '9999');
    const ledger = await openLedger();
    await ledger.grants.mintSession({ session: exampleSession({ grantId }), nonce: null });
    const holds = [1, 2, 3].map((n) => exampleHold(n, grantId));
    for (const hold of holds) await ledger.hold(hold);
    await ledger.endHold(holds[1]?.debitId ?? '', 'debited');
    await ledger.endHold(holds[2]?.debitId ?? '', 'released');
    await ledger.close();
    const lines = await run('debits', grantId);
    expect(lines.map((line) => line['state'])).toEqual(['debited', 'debited', 'reversed']);
    expect(lines[0]).toEqual({
      debit_id: holds[0]?.debitId,
      at_utc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      route: 'GET /v1/covenant-stress/{ticker}',
      amount_usd: 0.04,
      state: 'debited',
      receipt_id: holds[0]?.receipt.receiptId,
      reconciliation_key: holds[0]?.receipt.reconciliationKey,
    });
  });
});

describe('grants mint-session', () => {
  test('prints a token of an account-first grant, which the log does not have (I5.43, S16)', async () => {
    const [grant] = await run('create', '--program', 'founding_user_credit', '--account', 'desk-1', ...as);
    const [printedSession] = await run('mint-session', String(grant?.['grant_id']), ...as);
    const session = grantSessionAnswer.parse(printedSession);
    expect(session).toMatchObject({ wallet: null, expires_in_seconds: 86_400, grant_budget_usd: 25 });
    expect(tokens().check(session.token)).toMatchObject({
      kind: 'valid',
      claims: { sessionId: session.session_id, wallet: null },
    });
    expect(logged.join('\n')).toContain('grant_session_minted');
    expect(logged.join('\n')).not.toContain('ii1.');
    const [shown] = await run('show', String(grant?.['grant_id']));
    expect(shown?.['journal']).toContainEqual({
      at_utc: expect.any(String),
      kind: 'session',
      detail: session.session_id,
      actor: 'operator:ada',
    });
  });

  test('prints none for a wallet-first grant or one that does not live', async () => {
    const id = await enrol();
    await expect(run('mint-session', id, ...as)).rejects.toMatchObject({ code: 'usage' });
    const [grant] = await run('create', '--program', 'founding_user_credit', '--account', 'desk-1', ...as);
    const account = String(grant?.['grant_id']);
    await run('suspend', account, ...as);
    await expect(run('mint-session', account, ...as)).rejects.toMatchObject({ code: 'usage' });
  });
});
