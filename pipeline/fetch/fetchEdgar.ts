import { join } from 'node:path';
import { type EdgarAccess, openEdgarSession } from './filings/edgarSession.ts';
import { type DownloadContext, type Downloaded, downloadFile } from './http/downloadFile.ts';
import { partFile } from './http/partFile.ts';
import type { ContentKind } from './store/checkContent.ts';
import { openFetchManifest } from './store/fetchManifest.ts';

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
 * `<target>/edgar/`, politely and resumably.
 *
 * The links change only after every file is current, so `target` never mixes a new archive with a failed one.
 *
 * @throws IssuerError `configuration` without a usable contact (no request is made), `source_refused`,
 * `store_unwritable`, `interrupted`.
 */
export async function fetchEdgar(
  input: EdgarAccess & { target: string; signal: AbortSignal },
): Promise<FetchReport> {
  const { base, directory, network, cooldown, store, session } = await openEdgarSession(input);
  await cooldown.assertOpen();
  const manifest = await openFetchManifest(directory);
  const group = new AbortController();
  const context: Omit<DownloadContext, 'limits'> = {
    session,
    store,
    manifest,
    random: network.random,
    effects: input.effects,
    signal: AbortSignal.any([input.signal, group.signal]),
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
      if (sha256 !== undefined)
        await store.linkTo({ sha256, target: join(input.target, 'edgar', file.name) });
    }
    return {
      source: 'edgar',
      sourceDirectory: input.target,
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
