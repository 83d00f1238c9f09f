import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { IssuerError } from '../../contract/issuerError.ts';
import type { Effects } from '../effects.ts';
import { storeUnwritable } from './atomicFile.ts';
import type { ContentKind } from './checkContent.ts';
import { requireContact } from './contactAddress.ts';
import { contentStore } from './contentStore.ts';
import { type DownloadContext, type Downloaded, downloadFile } from './downloadFile.ts';
import { openFetchManifest } from './fetchManifest.ts';
import { hostCooldown } from './hostCooldown.ts';
import { httpSession, type SessionLimits } from './httpSession.ts';
import { partFile } from './partFile.ts';
import { defaultRetryLimits, type RetryLimits } from './retryPolicy.ts';
import { tokenBucket } from './tokenBucket.ts';

type EdgarFile = {
  readonly path: string;
  readonly name: string;
  readonly kind: ContentKind;
  readonly maxBytes: number;
};

// the small file goes first: a host that refuses it is asked nothing more
const edgarFiles: readonly EdgarFile[] = [
  {
    path: '/files/company_tickers_exchange.json',
    name: 'company_tickers_exchange.json',
    kind: 'json',
    maxBytes: 64 << 20,
  },
  {
    path: '/Archives/edgar/daily-index/xbrl/companyfacts.zip',
    name: 'companyfacts.zip',
    kind: 'zip',
    maxBytes: 8 * 2 ** 30,
  },
  {
    path: '/Archives/edgar/daily-index/bulkdata/submissions.zip',
    name: 'submissions.zip',
    kind: 'zip',
    maxBytes: 8 * 2 ** 30,
  },
];

/** Politeness and patience; SEC allows 10 requests a second per user, this stays under it. */
export type FetchNetwork = SessionLimits & {
  readonly ratePerSecond: number;
  readonly checkpointBytes: number;
  readonly minBytesPerSecond: number;
  readonly slowWindowMs: number;
  readonly retry: RetryLimits;
  /** Jitter source in [0, 1). */
  readonly random: () => number;
  /** Replaces the cap of every file. */
  readonly maxBytes?: number;
};

const defaultNetwork: Omit<FetchNetwork, 'random'> = {
  ratePerSecond: 8,
  concurrency: 4,
  connectTimeoutMs: 15_000,
  headersTimeoutMs: 60_000,
  bodyIdleTimeoutMs: 60_000,
  checkpointBytes: 8 << 20,
  minBytesPerSecond: 1024,
  slowWindowMs: 60_000,
  retry: defaultRetryLimits,
};

/** One file of a fetch. */
export type FetchedFile = {
  readonly url: string;
  /** Where the file lies inside the source directory. */
  readonly path: string;
  readonly status: Downloaded['status'];
  /** Body bytes received in this run; 0 when unchanged. */
  readonly bytes: number;
  readonly requests: number;
  readonly size: number;
  readonly sha256: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly fetchedAt: string;
};

/** What a fetch did; `sourceDirectory` has the layout every `--source <dir>` has. */
export type FetchReport = {
  readonly source: 'edgar';
  readonly sourceDirectory: string;
  readonly files: readonly FetchedFile[];
  readonly requests: number;
  readonly bytes: number;
};

/**
 * Downloads SEC's bulk archives and ticker file into `<rawRoot>/edgar/<sha256>` and links them into
 * `<target>/edgar/`, politely and resumably (ARCHITECTURE 4, fetch).
 *
 * The links change only after every file is current, so `target` never mixes a new archive with a failed one.
 *
 * @throws IssuerError `configuration` without a usable contact (no request is made), `source_refused`,
 * `store_unwritable`, `interrupted`.
 */
export async function fetchEdgar(o: {
  rawRoot: string;
  target: string;
  contact: string | undefined;
  baseUrl?: string;
  effects: Effects;
  network?: Partial<FetchNetwork>;
  signal: AbortSignal;
}): Promise<FetchReport> {
  const contact = requireContact(o.contact);
  const base = requireBaseUrl(o.baseUrl ?? 'https://www.sec.gov');
  const network: FetchNetwork = { ...defaultNetwork, random: Math.random, ...o.network };
  const { clock } = o.effects;
  const directory = join(o.rawRoot, 'edgar');
  await mkdir(directory, { recursive: true }).catch((error: unknown) => {
    throw storeUnwritable(directory, error);
  });
  const cooldown = hostCooldown({
    directory,
    host: base.host,
    clock,
    advice: `check that II_EDGAR_CONTACT is right and that nothing else on this network queries ${base.host}`,
  });
  await cooldown.assertOpen();
  const store = contentStore(directory);
  const manifest = await openFetchManifest(directory);
  const session = httpSession({
    userAgent: `issuer-intelligence/1.0 ${contact}`,
    bucket: tokenBucket({ ratePerSecond: network.ratePerSecond, capacity: 1, clock }),
    cooldown,
    limits: network,
  });
  const group = new AbortController();
  const context: Omit<DownloadContext, 'limits'> = {
    session,
    store,
    manifest,
    random: network.random,
    effects: o.effects,
    signal: AbortSignal.any([o.signal, group.signal]),
  };
  const download = (file: EdgarFile) => {
    const url = new URL(file.path, base).href;
    const part = partFile({ directory, url });
    const limits = { ...network, maxBytes: network.maxBytes ?? file.maxBytes };
    return downloadFile({ ...context, limits, url, kind: file.kind, part });
  };
  try {
    const [first, ...rest] = edgarFiles;
    const done = first === undefined ? [] : [await download(first)];
    done.push(...(await allOrStop(rest.map(download), group)));
    for (const [i, file] of edgarFiles.entries()) {
      const sha256 = done[i]?.row.sha256;
      if (sha256 !== undefined) await store.linkTo({ sha256, target: join(o.target, 'edgar', file.name) });
    }
    return {
      source: 'edgar',
      sourceDirectory: o.target,
      files: done.map((d, i) => fetchedFile(d, edgarFiles[i]?.name ?? '')),
      requests: session.requests,
      bytes: done.reduce((sum, d) => sum + d.bytes, 0),
    };
  } finally {
    await session.close();
  }
}

/** Waits for all; the first failure stops the others (their parts are kept) and is the one thrown. */
async function allOrStop<T>(work: readonly Promise<T>[], group: AbortController): Promise<T[]> {
  for (const one of work) one.catch((error: unknown) => group.abort(error));
  const settled = await Promise.allSettled(work);
  if (group.signal.aborted) throw group.signal.reason;
  return settled.flatMap((s) => (s.status === 'fulfilled' ? [s.value] : []));
}

function fetchedFile(d: Downloaded, name: string): FetchedFile {
  return {
    url: d.url,
    path: `edgar/${name}`,
    status: d.status,
    bytes: d.bytes,
    requests: d.requests,
    size: d.row.size,
    sha256: d.row.sha256,
    etag: d.row.etag,
    lastModified: d.row.last_modified,
    fetchedAt: d.row.fetched_at,
  };
}

/** Parses a base address; plain http is for loopback only. */
export function requireBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const loopback = url !== null && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && loopback))) return url;
  throw new IssuerError({
    code: 'configuration',
    message: `${text.slice(0, 200)} is not an https address.`,
    hint: 'Give an https:// base address; http is accepted for 127.0.0.1 only.',
  });
}
