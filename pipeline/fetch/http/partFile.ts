import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { count, sha256 } from '../../../data/contract/values/primitives.ts';
import type { Effects } from '../../effects.ts';
import { parsedOrNull } from '../../exactJson.ts';
import { ifPresent, storeText, storeUnwritable } from '../store/storeUnwritable.ts';
import { ConnectionFailure } from './readAnswer.ts';

const sidecar = z.strictObject({
  url: z.url(),
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
  /** Size of the complete file; null when the server did not say. */
  size: count.nullable(),
  /** Bytes of the part that are known to be on disk. */
  offset: count,
  /** Set once the part is complete and checked. */
  sha256: sha256.nullable(),
});

/** What is known of an unfinished download; the bytes lie beside it. */
export type Sidecar = z.infer<typeof sidecar>;

/** Where the part of one URL lives and how far it got. */
export type PartFile = {
  readonly path: string;
  /** The durable state, or null when nothing usable is left; never throws on damage. */
  read(): Promise<Sidecar | null>;
  /** Opens the part for writing at `state.offset`; bytes beyond it are cut off. */
  append(state: Sidecar): Promise<PartWriter>;
  /** Records the state, replacing the earlier one as a whole. */
  save(state: Sidecar): Promise<void>;
  discard(): Promise<void>;
};

/** An open part; `offset` and `hash` always describe exactly the bytes written. */
type PartWriter = {
  readonly offset: number;
  write(bytes: Uint8Array): Promise<void>;
  /** Makes everything written durable, then records it. */
  checkpoint(): Promise<Sidecar>;
  /** sha256 of the part so far, lower-case hex. */
  digest(): string;
  close(): Promise<void>;
};

/** The part file of a URL inside a source's directory: `partial/<hash of url>.part` and `.json`. */
export function partFile({ directory, url }: { directory: string; url: string }): PartFile {
  const folder = join(directory, 'partial');
  const stem = join(folder, createHash('sha256').update(url).digest('hex').slice(0, 16));
  const path = `${stem}.part`;
  const save = (state: Sidecar) => storeText(`${stem}.json`, `${canonicalJson(state)}\n`);
  return {
    path,
    save,
    async read() {
      const state = await readSidecar(`${stem}.json`);
      return state !== null && state.url === url ? state : null;
    },
    async append(state) {
      try {
        await mkdir(folder, { recursive: true });
        const file = await open(path, state.offset === 0 ? 'w+' : 'r+');
        return await writerAt({ file, path, state, save });
      } catch (error) {
        throw storeUnwritable(path, error);
      }
    },
    async discard() {
      // the sidecar goes first: a part without one is not used
      await rm(`${stem}.json`, { force: true });
      await rm(path, { force: true });
    },
  };
}

/** Bytes of the part on disk, 0 when there is none. */
export async function partLength(part: PartFile): Promise<number> {
  return (await ifPresent(stat(part.path), null))?.size ?? 0;
}

/** The first four kilobytes of a part, as text. */
export async function startOf(part: PartFile): Promise<string> {
  const file = await open(part.path, 'r');
  try {
    const start = Buffer.alloc(4096);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    return start.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function writerAt(input: {
  file: FileHandle;
  path: string;
  state: Sidecar;
  save: (state: Sidecar) => Promise<void>;
}): Promise<PartWriter> {
  const { file } = input;
  const hash = createHash('sha256');
  try {
    await file.truncate(input.state.offset);
    await hashPrefix(file, { bytes: input.state.offset, hash });
  } catch (error) {
    await file.close();
    throw error;
  }
  let offset = input.state.offset;
  return {
    get offset() {
      return offset;
    },
    async write(bytes) {
      try {
        await writeFully(file, { bytes, position: offset });
      } catch (error) {
        throw storeUnwritable(input.path, error);
      }
      hash.update(bytes);
      offset += bytes.length;
    },
    async checkpoint() {
      const state = { ...input.state, offset };
      try {
        await file.datasync();
      } catch (error) {
        throw storeUnwritable(input.path, error);
      }
      await input.save(state);
      return state;
    },
    digest: () => hash.copy().digest('hex'),
    close: () => file.close(),
  };
}

async function writeFully(
  file: FileHandle,
  { bytes, position }: { readonly bytes: Uint8Array; readonly position: number },
): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

async function hashPrefix(
  file: FileHandle,
  { bytes, hash }: { readonly bytes: number; readonly hash: Hash },
): Promise<void> {
  const buffer = Buffer.allocUnsafe(1 << 20);
  let position = 0;
  while (position < bytes) {
    const want = Math.min(buffer.length, bytes - position);
    const { bytesRead } = await file.read(buffer, 0, want, position);
    if (bytesRead === 0) throw new Error('the part is shorter than its sidecar says');
    hash.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

async function readSidecar(path: string): Promise<Sidecar | null> {
  return parsedOrNull(sidecar, await ifPresent(readFile(path, 'utf8'), ''));
}

export type BodyLimits = {
  /** Largest file accepted. */
  readonly maxBytes: number;
  /** Bytes between two durable checkpoints; a crash loses at most this much. */
  readonly checkpointBytes: number;
  /** A body slower than this over a whole window is given up; idle time alone would let a slow drip run for days. */
  readonly minBytesPerSecond: number;
  readonly slowWindowMs: number;
  /** Longest wait for one whole body; what came of it is kept and continued. */
  readonly answerMs: number;
};

/** `complete` has every byte, synced; `failed` kept what it could. `received` counts bytes off the wire. */
type Received =
  | { readonly kind: 'complete'; readonly state: Sidecar; readonly sha256: string; readonly received: number }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** False when the bytes cannot belong to the file. */
      readonly keep: boolean;
      readonly received: number;
      /** The error that ends the download at once; null when trying again makes sense. */
      readonly fatal: IssuerError | null;
    };

type Receiving = {
  readonly body: AsyncIterable<Uint8Array>;
  readonly part: PartFile;
  /** The part's state before the first byte of this body. */
  readonly state: Sidecar;
  readonly limits: BodyLimits;
  readonly effects: Effects;
};

/**
 * Appends a body to a part, hashing as it goes, and leaves the part durable however it ends.
 *
 * @throws IssuerError `store_unwritable` on a full disk (the part up to the last good byte stays valid),
 * `interrupted` when the run is stopped.
 */
export async function receiveBody(receiving: Receiving): Promise<Received> {
  const writer = await receiving.part.append(receiving.state);
  try {
    const failure = await copyBody(receiving, writer);
    const received = writer.offset - receiving.state.offset;
    if (failure !== null) {
      if (failure.keep) await writer.checkpoint();
      return { kind: 'failed', ...failure, received };
    }
    const state = { ...(await writer.checkpoint()), size: writer.offset };
    return { kind: 'complete', state, sha256: writer.digest(), received };
  } catch (error) {
    // what is written is good; keeping it is worth a try, and failing at that changes nothing
    await writer.checkpoint().catch(() => undefined);
    throw error;
  } finally {
    await writer.close();
  }
}

type Failure = Pick<Extract<Received, { kind: 'failed' }>, 'reason' | 'keep' | 'fatal'>;

async function copyBody(receiving: Receiving, writer: PartWriter): Promise<Failure | null> {
  const { limits, state } = receiving;
  const pace = paceGuard(receiving);
  const progress = progressLog(receiving);
  let sinceCheckpoint = 0;
  try {
    for await (const chunk of receiving.body) {
      const reached = writer.offset + chunk.length;
      if (state.size !== null && reached > state.size) {
        return { reason: `sent more than the ${state.size} bytes it announced`, keep: false, fatal: null };
      }
      if (reached > limits.maxBytes) {
        return { reason: 'is too large', keep: false, fatal: tooLarge(state.url, limits.maxBytes) };
      }
      await writer.write(chunk);
      sinceCheckpoint += chunk.length;
      if (sinceCheckpoint >= limits.checkpointBytes) {
        await writer.checkpoint();
        sinceCheckpoint = 0;
        progress(writer.offset);
      }
      pace(chunk.length);
    }
  } catch (error) {
    if (error instanceof ConnectionFailure) return { reason: error.message, keep: true, fatal: null };
    throw error;
  }
  if (state.size !== null && writer.offset < state.size) {
    return { reason: `ended after ${writer.offset} of ${state.size} bytes`, keep: true, fatal: null };
  }
  return null;
}

/** The error of a file beyond the cap of its source. */
export function tooLarge(url: string, maxBytes: number): IssuerError {
  return new IssuerError({
    code: 'source_refused',
    message: `${url} is larger than the ${maxBytes} bytes accepted from this source.`,
    hint: 'Check that the address serves the file it should; nothing of it was stored.',
    details: { url, max_bytes: maxBytes },
  });
}

function paceGuard({ effects, limits }: Receiving): (bytes: number) => void {
  const now = () => effects.clock.now().getTime();
  let windowStart = now();
  let windowBytes = 0;
  return (bytes) => {
    windowBytes += bytes;
    const elapsedMs = now() - windowStart;
    if (elapsedMs < limits.slowWindowMs) return;
    if ((windowBytes * 1000) / elapsedMs < limits.minBytesPerSecond) {
      throw new ConnectionFailure(`the body came slower than ${limits.minBytesPerSecond} bytes a second`);
    }
    windowStart = now();
    windowBytes = 0;
  };
}

function progressLog({ state, effects }: Receiving): (offset: number) => void {
  let nextPercent = 0;
  return (offset) => {
    if (state.size === null || state.size === 0) return;
    const percent = Math.floor((offset * 100) / state.size);
    if (percent < nextPercent) return;
    nextPercent = percent - (percent % 5) + 5;
    effects.log({
      level: 'info',
      step: 'fetch',
      message: `${state.url} ${percent} %`,
      fields: { url: state.url, bytes: offset, size: state.size },
    });
  };
}
