import { userInfo } from 'node:os';
import { join } from 'node:path';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { promotionNames } from '../../data/contract/release/releaseFiles.ts';
import type { Config } from '../config/config.ts';
import { releaseKeys } from '../keys/releaseKeys.ts';
import { inspectLedgerAt } from '../ledger/openLedger.ts';
import type { LedgerTime } from '../ledger/port/ledger.ts';
import { type LedgerAddress, shownAddress } from '../ledger/port/ledgerAddress.ts';
import { railStates } from '../payments/railStates.ts';
import { openArtifacts } from '../store/openArtifacts.ts';

/**
 * What `check-config` prints (I5.51): the effective values without secrets, and what stands in the way. Ledger and
 * artifact store are opened read-only; nothing is created.
 */
export async function checkConfiguration({ config, time }: { config: Config; time: LedgerTime }) {
  const problems: string[] = [];
  const ledger = await ledgerState(config.ledger, problems);
  const { store, stop } = openArtifacts({
    config: config.store,
    seenPath: join(config.dataRoot, promotionNames.seen),
    cacheBytes: 0,
    recheckMs: 0,
    keeps: false,
    time,
    tell: () => {},
    trusts: releaseKeys(config.dataRoot).trusts,
  });
  let current: string | null = null;
  try {
    const release = await (await store.snapshot()).current();
    current = release?.name ?? null;
    if (release === null) problems.push('No release is promoted yet; run issuer nightly.');
  } catch (error) {
    problems.push(sentence(error));
  }
  const away = store.remote()?.away ?? null;
  if (away !== null) problems.push(`The object store does not answer: ${away.why}`);
  stop();
  return {
    configuration: config.effective,
    ledger: { path: shownAddress(config.ledger), state: ledger },
    artifacts: {
      root: config.store.kind === 's3' ? config.store.address : config.artifactsRoot,
      current_release: current,
    },
    rails: railStates(config),
    admin: adminAddresses(config),
    problems,
  };
}

function adminAddresses({ adminListen: { host, port } }: Config) {
  const listen = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { listen, page: `http://${listen}/`, metrics: `http://${listen}/metrics` };
}

async function ledgerState(
  address: LedgerAddress,
  problems: string[],
): Promise<'ok' | 'not_created' | 'unusable'> {
  try {
    return await inspectLedgerAt(address);
  } catch (error) {
    problems.push(sentence(error));
    return 'unusable';
  }
}

function sentence(error: unknown): string {
  const { code, path } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM')
    return `The account ${userInfo().username} may not read ${path ?? 'the artifact store'} (${code}): give it what lies below II_DATA.`;
  return error instanceof IssuerError
    ? `${error.message} ${error.hint}`
    : error instanceof Error
      ? error.message
      : String(error);
}
