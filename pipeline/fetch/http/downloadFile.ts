import { type ContentKind, checkContent } from '../store/checkContent.ts';
import type { ContentStore } from '../store/contentStore.ts';
import type { FetchManifest, ManifestRow } from '../store/fetchManifest.ts';
import type { HttpSession } from './httpSession.ts';
import {
  type BodyLimits,
  type PartFile,
  partLength,
  receiveBody,
  type Sidecar,
  startOf,
  tooLarge,
} from './partFile.ts';
import {
  type Answer,
  ConnectionFailure,
  type Exchange,
  inflated,
  type Plan,
  planHeaders,
  rangeValidator,
  readAnswer,
} from './readAnswer.ts';
import { readRefusal, refusalCause, withCause } from './refusal.ts';
import { type Asking, type Retrier, retrier } from './retrier.ts';
import type { RetryLimits } from './retryPolicy.ts';

/** The outcome of one URL: what lies in the store now and how it got there. */
export type Downloaded = {
  readonly url: string;
  /** `unchanged`: the stored copy is current. `resumed`: earlier bytes were continued, in this run or a former one. */
  readonly status: 'downloaded' | 'resumed' | 'unchanged';
  /** Body bytes received in this run. */
  readonly bytes: number;
  /** Requests of this URL in this run. */
  readonly requests: number;
  readonly row: ManifestRow;
};

export type DownloadContext = Asking & {
  readonly session: HttpSession;
  readonly store: ContentStore;
  readonly manifest: FetchManifest;
  readonly limits: BodyLimits & { readonly retry: RetryLimits };
};

type Download = DownloadContext & {
  readonly url: string;
  readonly kind: ContentKind;
  readonly part: PartFile;
};

type Attempt =
  | { readonly kind: 'stored'; readonly row: ManifestRow; readonly received: number }
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      readonly received: number;
      readonly retryAfter: string | null;
      /** The body came whole and is not what it should be. */
      readonly bad: boolean;
    };

const maxBadContents = 2;

/**
 * Brings the stored copy of a URL up to date: conditional GET, Range and If-Range over cuts and crashes,
 * bounded retries, checked content, hash, fsync, rename, manifest row.
 *
 * @throws IssuerError `source_refused`, `store_unwritable` or `interrupted`; the part and the earlier copy
 * survive each of them.
 */
export async function downloadFile(download: Download): Promise<Downloaded> {
  const retry = retrier({ ...download, limits: download.limits.retry });
  let resumed = await finishLeftover(download);
  let trustStored = true;
  let bytes = 0;
  let requests = 0;
  let badContents = 0;
  for (;;) {
    const state = await usablePart(download.part);
    const plan = planRequest({ state, row: trustStored ? download.manifest.latest(download.url) : null });
    requests += 1;
    const attempt = await tryOnce({ o: download, plan, state, retry });
    if (attempt.kind === 'unchanged') {
      const row = download.manifest.latest(download.url);
      if (row !== null && (await download.store.verify(row))) {
        return { url: download.url, status: resumed ? 'resumed' : 'unchanged', bytes, requests, row };
      }
      download.effects.log({
        level: 'warn',
        step: 'fetch',
        message: `${download.url}: the stored copy is damaged or gone and is downloaded again`,
        fields: { url: download.url },
      });
      trustStored = false;
      continue;
    }
    bytes += attempt.received;
    if (plan.kind === 'resume' && attempt.received > 0) resumed = true;
    if (attempt.kind === 'stored') {
      return {
        url: download.url,
        status: resumed ? 'resumed' : 'downloaded',
        bytes,
        requests,
        row: attempt.row,
      };
    }
    if (attempt.bad) badContents += 1;
    // a whole gigabyte of the wrong thing is not fetched five times
    if (badContents >= maxBadContents) throw retry.giveUp(attempt.reason, { content: 'unusable' });
    await retry.after({ ...attempt, progressed: attempt.received > 0 && !attempt.bad });
  }
}

/** Chooses between continuing a part, asking whether the stored copy is current, and asking for everything. */
function planRequest({ state, row }: { state: Sidecar | null; row: ManifestRow | null }): Plan {
  const validator =
    state === null ? null : rangeValidator({ etag: state.etag, lastModified: state.last_modified });
  if (state !== null && state.offset > 0 && validator !== null) {
    return { kind: 'resume', offset: state.offset, size: state.size, validator, etag: state.etag };
  }
  if (row !== null && (row.etag !== null || row.last_modified !== null)) {
    return { kind: 'revalidate', etag: row.etag, lastModified: row.last_modified };
  }
  return { kind: 'full' };
}

/** One request of a download, and what of it was there before. */
type Trial = { readonly o: Download; readonly plan: Plan; readonly state: Sidecar | null };

async function tryOnce(t: Trial & { retry: Retrier }): Promise<Attempt> {
  const { o, plan, state } = t;
  let exchange: Exchange;
  try {
    exchange = await o.session.get({
      url: o.url,
      headers: planHeaders(plan),
      withinMs: o.limits.answerMs,
      signal: o.signal,
    });
  } catch (error) {
    if (error instanceof ConnectionFailure) return failed(error.message);
    throw error;
  }
  const answer = readAnswer(exchange, plan);
  if (await isUnsteady({ o, plan, state, answer })) {
    await exchange.drop();
    return failed('the ETag changes though the file does not; its Last-Modified stands in from here on');
  }
  if (answer.kind === 'whole' || answer.kind === 'rest') return takeBody({ o, exchange, answer, state });
  const cause = await readRefusal(exchange);
  switch (answer.kind) {
    case 'unchanged':
      return { kind: 'unchanged' };
    case 'forbidden':
      if (cause?.kind !== 'absent')
        throw await o.session.forbidden({ url: o.url, status: exchange.status, cause });
      throw t.retry.giveUp(withCause(`answered ${exchange.status}`, cause), {
        status: exchange.status,
        cause: cause.kind,
      });
    case 'refused':
      throw t.retry.giveUp(withCause(answer.reason, cause), {
        ...(answer.status === undefined ? {} : { status: answer.status }),
        ...(cause === null ? {} : { cause: cause.kind }),
      });
    case 'retry':
      return { ...failed(withCause(answer.reason, cause)), retryAfter: answer.retryAfter };
    case 'restart':
      await o.part.discard();
      return failed(answer.reason);
  }
}

/**
 * Whether a whole body came for nothing: the same date and size as what is here, under another ETag, as hosts behind
 * several machines send it. The ETag is then forgotten, so that the next request goes by Last-Modified.
 */
async function isUnsteady({ o, plan, state, answer }: Trial & { answer: Answer }): Promise<boolean> {
  if (answer.kind !== 'whole' || plan.kind === 'full' || plan.etag === null) return false;
  const row = o.manifest.latest(o.url);
  const here = plan.kind === 'resume' ? state : row;
  const same =
    here !== null &&
    here.last_modified !== null &&
    here.last_modified === answer.validators.lastModified &&
    here.size !== null &&
    here.size === answer.size &&
    here.etag !== answer.validators.etag;
  if (!same) return false;
  if (plan.kind === 'resume' && state !== null) await o.part.save({ ...state, etag: null });
  if (plan.kind === 'revalidate' && row !== null) await o.manifest.record({ ...row, etag: null });
  return true;
}

async function takeBody(
  b: Omit<Trial, 'plan'> & { exchange: Exchange; answer: Extract<Answer, { kind: 'whole' | 'rest' }> },
): Promise<Attempt> {
  const { o, exchange, answer } = b;
  if (answer.size !== null && answer.size > o.limits.maxBytes) {
    await exchange.drop();
    throw tooLarge(o.url, o.limits.maxBytes);
  }
  let state = b.state;
  if (answer.kind === 'whole' || state === null) {
    // a new file, or a server that ignores ranges: any part there was does not belong to it
    await o.part.discard();
    // without a validator nothing is resumed: offsets of a coded body mean nothing
    const validators =
      answer.kind === 'whole' && answer.coding === null
        ? answer.validators
        : { etag: null, lastModified: null };
    state = {
      url: o.url,
      etag: validators.etag,
      last_modified: validators.lastModified,
      size: answer.size,
      offset: 0,
      sha256: null,
    };
  }
  const received = await receiveBody({
    body: answer.kind === 'whole' && answer.coding === 'gzip' ? inflated(exchange.body) : exchange.body,
    part: o.part,
    state: { ...state, size: answer.size },
    limits: o.limits,
    effects: o.effects,
  });
  if (received.kind === 'failed') {
    if (!received.keep) await o.part.discard();
    if (received.fatal !== null) throw received.fatal;
    return { ...failed(received.reason), received: received.received };
  }
  const wrong = await checkContent({ path: o.part.path, kind: o.kind });
  if (wrong !== null) {
    const cause = refusalCause({ status: exchange.status, text: await startOf(o.part) });
    await o.part.discard();
    if (cause !== null && cause.kind !== 'page')
      throw await o.session.forbidden({ url: o.url, status: exchange.status, cause });
    const reason = withCause(`sent a file that cannot be used: ${wrong}`, cause);
    return { ...failed(reason), received: received.received, bad: true };
  }
  const finished = {
    ...received.state,
    ...(answer.kind === 'whole' && answer.coding === 'gzip'
      ? { last_modified: answer.validators.lastModified }
      : {}),
    sha256: received.sha256,
  };
  await o.part.save(finished);
  return { kind: 'stored', row: await storePart(o, finished, received.sha256), received: received.received };
}

// the sidecar names the hash before the part moves, so a crash between any two steps loses nothing
async function storePart(download: Download, state: Sidecar, sha256: string): Promise<ManifestRow> {
  const { store, part, manifest } = download;
  await store.adopt({ from: part.path, sha256 });
  const row = storedRow(download, state, sha256);
  await manifest.record(row);
  await part.discard();
  return row;
}

function storedRow({ url, effects }: Download, state: Sidecar, sha256: string): ManifestRow {
  return {
    url,
    etag: state.etag,
    last_modified: state.last_modified,
    fetched_at: effects.clock.now().toISOString(),
    size: state.offset,
    sha256,
  };
}

/** Finishes a download whose bytes were all on disk when an earlier process died; true when there was one. */
async function finishLeftover(download: Download): Promise<boolean> {
  const state = await download.part.read();
  if (state === null) return false;
  if (state.sha256 !== null && (await download.store.verify({ sha256: state.sha256, size: state.offset }))) {
    if (download.manifest.latest(download.url)?.sha256 !== state.sha256) {
      await download.manifest.record(storedRow(download, state, state.sha256));
    }
    await download.part.discard();
    return true;
  }
  if (
    state.size === null ||
    state.offset !== state.size ||
    (await partLength(download.part)) < state.offset
  ) {
    return false;
  }
  const nothing = (async function* (): AsyncGenerator<Uint8Array> {})();
  const whole = await receiveBody({
    body: nothing,
    part: download.part,
    state,
    limits: download.limits,
    effects: download.effects,
  });
  const usable =
    whole.kind === 'complete' &&
    (await checkContent({ path: download.part.path, kind: download.kind })) === null;
  if (!usable) {
    await download.part.discard();
    return false;
  }
  await storePart(download, whole.state, whole.sha256);
  return true;
}

async function usablePart(part: PartFile): Promise<Sidecar | null> {
  const state = await part.read();
  if (state === null || state.offset === 0) return null;
  const sound =
    (await partLength(part)) >= state.offset &&
    (state.size === null || state.offset < state.size) &&
    state.sha256 === null;
  return sound ? state : null;
}

function failed(reason: string): Extract<Attempt, { kind: 'failed' }> {
  return { kind: 'failed', reason, received: 0, retryAfter: null, bad: false };
}
