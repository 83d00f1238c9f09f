import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NightlyRig, nightlyRig } from '../../fixtures/replicas/nightlyRig.ts';
import {
  type PostgresServer,
  postgresMissing,
  startPostgresServer,
} from '../../fixtures/replicas/postgresServer.ts';
import { exampleClaim, exampleTransition } from '../../fixtures/rigs/ledgerConformance/examples.ts';
import { damageArtifact } from '../../fixtures/rigs/storedArtifacts.ts';
import { systemTime } from '../ledger/openLedger.ts';
import type { Ledger } from '../ledger/port/ledger.ts';
import { postgresLedger } from '../ledger/postgres/postgresLedger.ts';
import { sqliteLedger } from '../ledger/sqlite/sqliteLedger.ts';

// backup.sh and drill.sh as the timer and the operator run them, over the data of a night and books with payments

const absent = ['rsync', 'pg_dump', 'pg_restore'].filter(
  (name) => spawnSync(name, ['--version']).error !== undefined,
);
const noRsync = absent.includes('rsync') ? 'rsync is not on this machine: no backup was made' : null;
const noPostgres =
  noRsync ??
  postgresMissing() ??
  (absent.length > 0 ? `${absent.join(' and ')} not on this machine: no dump was made` : null);

let nights: NightlyRig;
let root: string;
let data: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'drill-'));
  nights = await nightlyRig();
  data = (await nights.published('data')).data;
});
afterAll(async () => {
  await nights.close();
  rmSync(root, { recursive: true, force: true });
});

const common = {
  time: systemTime,
  log: () => {},
  onFatal: (error: Error) => {
    throw error;
  },
};
const sqliteAt = (path: string): Ledger => sqliteLedger({ path, ...common });
const postgresAt = (connection: string, name: string): Ledger =>
  postgresLedger({ connection, markPath: join(root, `${name}.mark`), ...common });

async function pay(ledger: Ledger, ...numbers: readonly number[]): Promise<void> {
  for (const n of numbers) {
    await ledger.claim(exampleClaim(n));
    await ledger.transition(exampleTransition(n, 'settled'));
  }
}

async function paymentsIn(ledger: Ledger): Promise<number> {
  await ledger.open();
  const { payments, problems } = await ledger.check();
  await ledger.close();
  expect(problems).toEqual([]);
  return payments;
}

function run(
  script: 'backup.sh' | 'drill.sh',
  words: readonly string[],
  environment: Record<string, string>,
) {
  const env = { PATH: process.env['PATH'], II_BASE_URL: 'http://127.0.0.1:8402', ...environment };
  const ended = spawnSync(join(import.meta.dirname, script), words, { encoding: 'utf8', env });
  return { status: ended.status, out: ended.stdout, said: ended.stdout + ended.stderr };
}

/** The directory of a new backup. */
function backup(into: string, environment: Record<string, string>): string {
  mkdirSync(into, { recursive: true });
  const { status, out, said } = run('backup.sh', [into], { II_DATA: data, ...environment });
  expect({ status, said }).toEqual({ status: 0, said: expect.stringMatching(/T\d{6}Z\n$/) });
  return out.trim();
}

const drill = (from: string, scratch: string, environment: Record<string, string> = {}) =>
  run('drill.sh', [from, scratch], environment);

describe('backup and drill of books in a file', () => {
  it('give back the books of one instant, the key and a release that verifies and answers', async (ctx) => {
    if (noRsync !== null) return ctx.skip(noRsync);
    const running = sqliteAt(join(data, 'ledger', 'ledger.db'));
    await running.open();
    await pay(running, 1, 2, 3);
    const taken = backup(join(root, 'file'), {});
    await pay(running, 4);
    const scratch = join(root, 'file-restored');
    const { status, said } = drill(taken, scratch);
    expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining(`${taken} is whole.`) });
    expect(said).toContain('"source_date":"2025-11-14"');
    expect(await paymentsIn(sqliteAt(join(scratch, 'ledger', 'ledger.db')))).toBe(3);
    expect((await running.check()).payments).toBe(4);
    await running.close();
    expect(readdirSync(join(scratch, 'keys'))).toEqual(readdirSync(join(data, 'keys')));
    expect(statSync(taken).mode & 0o077).toBe(0);
  });

  it('hold a release once, however many backups there are', (ctx) => {
    if (noRsync !== null) return ctx.skip(noRsync);
    const into = join(root, 'linked');
    const first = backup(into, {});
    const name = `${into}/2025-11-14T000000Z`;
    renameSync(first, name);
    const second = backup(into, {});
    for (const file of ['releases/2025-11-14.1/manifest.json', 'packs/2025-11-14.1.pack']) {
      const [one, other] = [name, second].map((backup) => statSync(join(backup, 'artifacts', file)).ino);
      expect(one).toBe(other);
    }
  });

  it('refuse what is not whole: cut books, a changed artifact, a directory that is in use', (ctx) => {
    if (noRsync !== null) return ctx.skip(noRsync);
    const spoiled = (name: string, spoil: (taken: string) => void) => {
      const taken = backup(join(root, name), {});
      spoil(taken);
      return drill(taken, join(root, `${name}-restored`));
    };
    const books = spoiled('cut', (taken) => truncateSync(join(taken, 'ledger.db'), 8192));
    expect(books.status).not.toBe(0);
    const artifact = spoiled('changed', (taken) => {
      const key = 'readiness/2025-11-14.json';
      damageArtifact({ root: join(taken, 'artifacts'), release: '2025-11-14.1', key });
    });
    expect([artifact.status, artifact.said]).toEqual([
      5,
      expect.stringContaining('readiness/2025-11-14.json'),
    ]);
    const used = drill(join(root, 'unused'), data);
    expect([used.status, used.said]).toEqual([2, `${data} is not empty\n`]);
    for (const { said } of [books, artifact, used]) expect(said).not.toContain('is whole');
  });

  it('leave no half backup under a finished name', (ctx) => {
    if (noRsync !== null) return ctx.skip(noRsync);
    const into = join(root, 'half');
    mkdirSync(into);
    const nowhere = `sqlite:${join(root, 'nowhere', 'ledger.db')}`;
    const { status } = run('backup.sh', [into], { II_DATA: data, II_LEDGER: nowhere });
    expect(status).not.toBe(0);
    expect(readdirSync(into)).toEqual([]);
  });
});

describe('backup and drill of books in PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    if (noPostgres !== null) return;
    server = await startPostgresServer({ inMemory: true });
    for (const name of ['books', 'empty']) await server.create(name);
  });
  afterAll(() => server?.stop());

  it('restore a dump into an empty database, and refuse one that is not', async (ctx) => {
    if (noPostgres !== null) return ctx.skip(noPostgres);
    const running = postgresAt(server.url('books'), 'books');
    await running.open();
    await pay(running, 1, 2);
    const taken = backup(join(root, 'database'), { II_LEDGER: server.url('books') });
    expect(existsSync(join(taken, 'ledger.db'))).toBe(false);
    await pay(running, 3);
    const into = { DRILL_DATABASE: server.url('empty') };
    const { status, said } = drill(taken, join(root, 'database-restored'), into);
    expect({ status, said }).toEqual({ status: 0, said: expect.stringContaining(`${taken} is whole.`) });
    expect(await paymentsIn(postgresAt(server.url('empty'), 'empty'))).toBe(2);
    expect((await running.check()).payments).toBe(3);
    const again = drill(taken, join(root, 'database-again'), into);
    expect(again.status).not.toBe(0);
    expect(again.said).toContain('already exists');
    await running.close();
  });
});
