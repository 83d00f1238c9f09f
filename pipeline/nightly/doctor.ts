import { constants, existsSync } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { layoutHint, layoutProblem, storeNames } from '../../data/store/storeFiles.ts';
import type { DataLayout } from '../dataLayout.ts';
import { requireContact } from '../fetch/filings/edgarSession.ts';
import { factorDates, rowsOfDates } from '../market/factorRows.ts';
import { programRoot } from '../programRoot.ts';
import { readCurrent } from '../release/releaseStore.ts';
import { requireLayout } from '../release/storeLayout.ts';
import { verifyRelease } from '../release/verifyRelease.ts';
import { openForReading } from '../warehouse/build/openDatabase.ts';
import { readLock } from './nightlyLock.ts';

export type Check = {
  readonly name: string;
  readonly status: 'ok' | 'note' | 'failing';
  readonly detail: string;
  /** What to do; null when there is nothing to do. */
  readonly next: string | null;
};

type NamedCheck = [name: string, check: () => Promise<Omit<Check, 'name'>>];

const wantedFreeBytes = 20 * 2 ** 30;

/** Looks whether this machine and its data can run a night; a check that throws is a failing check. */
export async function examine({
  layout,
  environment,
  nodeVersion,
}: {
  layout: DataLayout;
  environment: Readonly<Record<string, string | undefined>>;
  nodeVersion: string;
}): Promise<Check[]> {
  const remote = environment['II_STORE'] ?? '';
  const checks: NamedCheck[] = [
    ['node', () => checkNode(nodeVersion)],
    ['duckdb', checkDuckdb],
    ['data', () => checkData(layout)],
    ['disk', () => checkDisk(layout.root)],
    ['lock', () => checkLock(layout.lock)],
    ['release', () => checkRelease(layout, environment['II_EDGAR_CONTACT'])],
    ['market', () => checkMarket(layout.database, environment['II_EDGAR_CONTACT'])],
    ['contact', () => checkContact(environment['II_EDGAR_CONTACT'])],
    ...(remote === '' ? [] : [['store', () => checkStore(remote, environment)] satisfies NamedCheck]),
  ];
  const found: Check[] = [];
  for (const [name, check] of checks) {
    found.push({ name, ...(await check().catch(failing)) });
  }
  return found;
}

async function checkNode(version: string): Promise<Omit<Check, 'name'>> {
  const packageFile = JSON.parse(await readFile(join(programRoot, 'package.json'), 'utf8'));
  const pinned = String(Object.values(packageFile.optionalDependencies ?? {})[0] ?? version);
  if (version === pinned) return ok(`Node ${version}, the pinned one`);
  return note(
    `Node ${version}, while ${pinned} is pinned`,
    'Run through npx (`npx issuer …`), which uses the pinned one.',
  );
}

async function checkDuckdb(): Promise<Omit<Check, 'name'>> {
  const { DuckDBInstance, version } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(':memory:');
  instance.closeSync();
  return ok(`DuckDB ${version()} loads`);
}

async function checkData({ root, signingKey }: DataLayout): Promise<Omit<Check, 'name'>> {
  const existing = await nearestExisting(root);
  if (!(await stat(existing)).isDirectory()) throw new Error(`${existing} is not a directory`);
  await access(existing, constants.W_OK);
  const key = await stat(signingKey).catch(() => null);
  if (process.platform !== 'win32' && key !== null && (key.mode & 0o077) !== 0)
    return note(`others may read ${signingKey}, which signs releases`, `Run chmod 600 ${signingKey}.`);
  return ok(existing === root ? `${root} is writable` : `${root} will be made in ${existing}`);
}

async function checkDisk(root: string): Promise<Omit<Check, 'name'>> {
  const { bavail, bsize } = await statfs(await nearestExisting(root));
  const free = bavail * bsize;
  const gb = (free / 2 ** 30).toFixed(1);
  if (free >= wantedFreeBytes) return ok(`${gb} GiB free`);
  return note(`${gb} GiB free`, 'A full EDGAR night wants 20 GiB; the fixtures need less than 1.');
}

async function checkLock(path: string): Promise<Omit<Check, 'name'>> {
  const lock = await readLock(path);
  if (lock === null) return ok('no night is running');
  if (lock.stale)
    return note(
      'the lock of a run that died lies there',
      'Nothing: the next night takes it over and goes on.',
    );
  return note(
    `process ${lock.holder?.pid} on ${lock.holder?.host} is running a night`,
    'Wait for it to end.',
  );
}

/** Who has set a contact wants SEC's filings; made-up and old ones would stand in the same place. */
const firstNight = (contact: string | undefined): string =>
  contact === undefined ? 'Run `issuer nightly --source fixtures`.' : 'Run `issuer nightly --source edgar`.';

async function checkRelease(layout: DataLayout, contact: string | undefined): Promise<Omit<Check, 'name'>> {
  await requireLayout(layout.artifacts);
  const current = await readCurrent(layout.artifacts);
  if (current === null) {
    return note('no release has been published yet', firstNight(contact));
  }
  const { manifest } = await verifyRelease({ paths: layout.artifacts, name: current, publicKeys: null });
  return ok(
    `${current} verifies: ${manifest.artifact_count} artifacts, signed by ${manifest.signature.key_id}`,
  );
}

async function checkStore(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Omit<Check, 'name'>> {
  const { openStore } = await import('../../data/store/openStore.ts');
  const store = openStore({ address, environment });
  try {
    const layout = await store.read(storeNames.layout);
    if (layout === null) return ok(`${store.address} answers; nothing is published there yet`);
    const problem = layoutProblem({ bytes: layout, isEmpty: false });
    if (problem !== null)
      throw new IssuerError({ code: 'configuration', message: problem, hint: layoutHint });
    const releases = await store.list('releases/');
    return ok(`${store.address} answers: ${releases.length} releases`);
  } finally {
    store.close();
  }
}

/** A build of another version of the program is read by the next night, not here. */
async function checkMarket(path: string, contact: string | undefined): Promise<Omit<Check, 'name'>> {
  if (!existsSync(path)) return note('no warehouse holds market rows yet', firstNight(contact));
  const database = await openForReading(path);
  try {
    const { connection } = database;
    const day = (await factorDates(connection, { upTo: '9999-12-31', bucketLength: '1d' })).at(-1);
    if (day === undefined) {
      return note(
        'no market row in the warehouse',
        'Put tables of perpetual contracts into perps/ of the inputs.',
      );
    }
    const rows = await rowsOfDates(connection, { from: day, to: day, bucketLength: '1d' });
    const pressed = rows.filter(({ pressure }) => pressure !== null).length;
    return ok(
      `the newest daily market rows are of ${day}: ${rows.length} products, ${pressed} with a pressure`,
    );
  } finally {
    database.close();
  }
}

async function checkContact(contact: string | undefined): Promise<Omit<Check, 'name'>> {
  try {
    return ok(`SEC will see "${requireContact(contact)}"`);
  } catch (error) {
    if (!(error instanceof IssuerError)) throw error;
    // only the edgar source needs it
    return note(error.message, error.hint);
  }
}

async function nearestExisting(path: string): Promise<string> {
  try {
    await access(path);
    return path;
  } catch (error) {
    const parent = dirname(path);
    if (parent === path) throw error;
    return nearestExisting(parent);
  }
}

function failing(error: unknown): Omit<Check, 'name'> {
  const known = error instanceof IssuerError;
  const detail = error instanceof Error ? error.message : String(error);
  return {
    status: 'failing',
    detail,
    next: known ? error.hint : 'Name another directory with --data, or mend this one.',
  };
}

function ok(detail: string): Omit<Check, 'name'> {
  return { status: 'ok', detail, next: null };
}

function note(detail: string, next: string): Omit<Check, 'name'> {
  return { status: 'note', detail, next };
}
