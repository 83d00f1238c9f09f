import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { Effects } from '../../effects.ts';
import { ConnectionFailure } from './httpSession.ts';
import type { PartFile, PartWriter, Sidecar } from './partFile.ts';

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
export type Received =
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
