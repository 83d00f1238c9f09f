import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingestedArchive } from '../fixtures/archive/ingestedArchive.ts';
import { issuerCommand } from '../fixtures/rigs/commandTrees.ts';
import { handMadeWarehouse } from '../fixtures/rigs/handMadeWarehouse.ts';
import { artifactText } from '../fixtures/rigs/storedArtifacts.ts';
import { publishedNights } from '../fixtures/suites/publishedNights.ts';
import { universeSize } from '../fixtures/suites/universeSize.ts';
import { dataLayout } from './dataLayout.ts';
import { programRoot } from './programRoot.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'issuer-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** The command line as a process of its own; each command is started so at least once. */
async function started(args: readonly string[]) {
  const child = spawn(process.execPath, [join(programRoot, 'pipeline/cli.ts'), ...args], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const [code, signal] = await once(child, 'close');
  return { code, signal, out, err };
}

/** The same command line in this process. */
const issuer = (args: readonly string[]) => issuerCommand(args, environment());

function environment(): NodeJS.ProcessEnv {
  const { II_EDGAR_CONTACT: _, II_DATA: __, ...env } = process.env;
  return env;
}

describe('issuer', () => {
  it('is executable by name', async () => {
    const path = join(programRoot, 'pipeline/cli.ts');
    expect((await stat(path)).mode & 0o111).not.toBe(0);
    expect(await readFile(path, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('shows help and version, exit 0', async () => {
    const help = await started(['nightly', '--help']);
    expect(help.code).toBe(0);
    for (const flag of [
      '--source',
      '--date',
      '--as-of',
      '--from',
      '--only',
      '--force',
      '--dry-run',
      '--data',
      '--json',
    ]) {
      expect(help.out).toContain(flag);
    }
    expect((await issuer(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('declares every command for its help, and loads the work of none', async () => {
    const script = `
      import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });
      process.argv.push('issuer', '--help');
      await import(${JSON.stringify(pathToFileURL(join(programRoot, 'pipeline/cli.ts')).href)});`;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script],
      { env: environment() },
    );
    expect(stdout).toContain('registry');
    const packages = [...stderr.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)/g)].map(([, name]) => name);
    expect([...new Set(packages)]).toEqual(['commander']);
    expect(stderr).not.toMatch(/\/pipeline\/(?:warehouse|compute|families|stores)\//);
  });

  it('leaves a statement that cannot be stopped by the signal that exit 130 stands for', async () => {
    const warehouse = await handMadeWarehouse();
    warehouse.close();
    const data = join(root, 'stuck');
    await mkdir(join(data, 'warehouse'), { recursive: true });
    await symlink(warehouse.path, join(data, 'warehouse/current.duckdb'));
    // one function for minutes: it hears of an interrupt at its end alone
    const sql = "SELECT levenshtein(repeat('a', 300000), repeat('b', 300000))";
    const { signal, err } = await started(['query', '--data', data, '--timeout', '1', sql]);
    expect(err).toContain('The query ran longer than 1 s and was stopped.');
    expect(signal).toBe('SIGINT');
    await warehouse.remove();
  });

  it.each<[string[], number, string, string]>([
    [['nightly', '--sauce', 'x'], 2, "Unknown option '--sauce'", 'Did you mean --source'],
    [['nightli'], 2, "Unknown command 'nightli'", 'Did you mean nightly'],
    [['nightly', 'fixtures'], 2, 'Too many arguments', '--help'],
    [['nightly', '--source', 'edgar'], 2, 'SEC EDGAR needs a contact address', 'II_EDGAR_CONTACT'],
    [['nightly', '--source', 'fixtures', '--date', '2025-02-30'], 2, '2025-02-30 is not a day', 'YYYY-MM-DD'],
    [
      ['nightly', '--source', 'fixtures', '--as-of', 'now'],
      2,
      'now is not an instant',
      'YYYY-MM-DDTHH:MM:SSZ',
    ],
    [
      ['nightly', '--source', 'fixtures', '--only', 'audit'],
      2,
      'audit is not a step',
      'fetch, ingest, compute',
    ],
    [
      ['nightly', '--source', 'fixtures', '--only', 'fetch', '--from', 'fetch'],
      2,
      'exclude each other',
      'one of them',
    ],
    [['nightly', '--source', '/', '--data', '%/u'], 2, 'which date the slice is of', 'nights.csv'],
    [
      ['nightly', '--source', '%/none', '--date', '2025-11-14', '--data', '%/d'],
      3,
      'is not a directory',
      'fixtures and edgar',
    ],
    [
      ['nightly', '--source', '%/empty', '--date', '2025-11-14', '--data', '%/d'],
      3,
      'none of the inputs',
      'companyfacts.zip',
    ],
    [['nightly', '--source', 'fixtures', '--data', '%/file/d'], 1, 'could not be written', '--data'],
    [['query', 'select 1', '--format', 'xml'], 2, "'xml' is invalid", 'Allowed choices'],
    [['query', 'select 1', '--data', '%/d'], 3, '', 'nightly'],
    [['release', 'verify', '--data', '%/d'], 3, 'No release has been published', 'issuer nightly'],
    [['release', 'promote', '2025-11-14.1', '--data', '%/d'], 3, 'no release 2025-11-14.1', 'release list'],
    [['release', 'rollback', '--data', '%/d'], 3, 'No release has been promoted', 'release list'],
  ])('%j ends with %i, one sentence and a hint', async (args, code, message, hint) => {
    await mkdir(join(root, 'empty'), { recursive: true });
    await writeFile(join(root, 'file'), '');
    const here = args.map((arg) => arg.replace('%', root));
    const text = await issuer(here);
    expect(text).toMatchObject({ code, out: '' });
    expect(text.err).toContain(message);
    const machine = await issuer([...here, '--json']);
    expect(machine.code).toBe(code);
    const last = JSON.parse(machine.out.trimEnd().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ level: 'error', exit_code: code });
    expect(`${last.message} ${last.hint}`).toContain(hint);
  });

  it('says the same as a process: text on stderr, JSON on stdout, and the exit code', async () => {
    const wrong = ['nightly', '--sauce', 'x'];
    for (const args of [wrong, [...wrong, '--json']])
      expect(await started(args)).toEqual({ ...(await issuer(args)), signal: null });
  });

  it('touches nothing when the usage is wrong', () => {
    expect(existsSync(join(root, 'u'))).toBe(false);
  });

  it('examines the machine and says what to do', async () => {
    const fresh = await started(['doctor', '--data', join(root, 'fresh')]);
    expect(fresh.code).toBe(0);
    expect(fresh.out).toMatch(/✓ node .*\n✓ duckdb .*\n✓ data .*\n/);
    expect(fresh.out).toContain('Run `issuer nightly --source fixtures`.');
    expect(fresh.out).toContain('II_EDGAR_CONTACT');
    const { signingKey } = dataLayout(join(root, 'open'));
    await mkdir(dirname(signingKey), { recursive: true });
    await writeFile(signingKey, 'a key', { mode: 0o644 });
    const open = await issuer(['doctor', '--data', join(root, 'open')]);
    expect(open.out.replaceAll(/\s+/g, ' ')).toContain(`Run chmod 600 ${signingKey}`);
    const broken = await issuer(['doctor', '--data', join(root, 'file', 'd')]);
    expect(broken.code).toBe(2);
    expect(broken.out).toContain('✗ data');
  });

  it('prints a bash completion of every command and option', async () => {
    const { out } = await started(['completion']);
    expect(out).toContain('"release") words="list verify promote rollback');
    expect(out).toContain('--dry-run');
    const shell = spawn('bash', ['-n'], { stdio: ['pipe', 'ignore', 'inherit'] });
    shell.stdin.end(out);
    expect((await once(shell, 'close'))[0]).toBe(0);
  });
});

describe('a fixture night by hand', () => {
  it('is published, asked, verified, rolled back and listed', async () => {
    const data = join(root, 'hand');
    await cp((await publishedNights()).data, data, { recursive: true });
    const nights = await issuer(['nightly', '--source', 'fixtures', '--data', data, '--json']);
    const lines = nights.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const summary = lines.at(-1);
    expect(summary).toMatchObject({
      source_date: '2026-02-07',
      release: '2026-02-07.1',
      issuers: universeSize(),
    });
    expect(summary.releases).toEqual(['2025-11-13.1', '2025-11-14.1', '2026-02-07.1']);
    expect(summary.missing_inputs).toContain('stocks/*.csv');

    const asked = await started([
      'query',
      "select stress_50pct from stress where ticker = 'MSTR' and source_date = '2026-02-07'",
      '--format',
      'csv',
      '--data',
      data,
    ]);
    expect(asked.out).toBe('stress_50pct\r\n0.223313\r\n');

    expect((await started(['release', 'verify', '--data', data])).out).toMatch(
      /^2026-02-07\.1 verifies: \d+ artifacts/,
    );
    expect((await issuer(['release', 'rollback', '--data', data])).out).toBe(
      '2025-11-14.2 is current: the content of 2025-11-14.1, in place of 2026-02-07.1.\n',
    );
    expect((await issuer(['release', 'promote', '2026-02-07.1', '--data', data])).code).toBe(0);
    const listed = await issuer(['release', 'list', '--data', data]);
    expect(listed.out.split('\n').map((line) => line.split(/ +/).slice(0, 2).join(' '))).toEqual([
      '2025-11-13.1 promoted',
      '2025-11-14.1 superseded',
      '2025-11-14.2 promoted',
      '2026-02-07.1 current',
      '',
    ]);
  });
});

describe('the shared material', () => {
  const shared = join(programRoot, '../shared/data');

  it('gives the reference figures of MSTR at 2025-09-30', async (ctx) => {
    if (!existsSync(join(shared, 'edgar/companyfacts.zip'))) {
      ctx.skip('../shared/data is not there: the check against 44 real companyfacts files was not made');
    }
    const data = join(root, 'shared');
    await ingestedArchive(dataLayout(data).warehouse);
    const night = await started(['nightly', '--source', shared, '--date', '2025-11-19', '--data', data]);
    // its closes and its market rows end seven weeks before
    expect(night.code).toBe(6);
    expect(night.out).toMatch(
      /Degraded +2 findings, exit code 6\n +the newest market rows of BTC-PERP-INTX, ETH-PERP-INTX,\s+SOL-PERP-INTX are of 2025-09-30\n +the newest closes of [^–]* are\s+of\s+2025-09-30/,
    );
    expect(night.out).toContain('2025-11-19.1 (current, complete slice');
    const key = 'covenant/2025-11-19/CIK0001050446.json';
    const stored = await artifactText({ root: join(data, 'artifacts'), release: '2025-11-19.1', key });
    expect(JSON.parse(stored)).toMatchObject({
      accession_number: expect.stringMatching(/^\d{10}-\d{2}-\d{6}$/),
      period: '2025-09-30',
      total_long_term_debt: 8_173_903_000,
      total_crypto_fair_value: 73_205_725_000,
      stress_50pct: 0.223313,
    });
  });
});
