import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import type { Clock } from '../../effects.ts';
import { parsedOrNull } from '../../exactJson.ts';
import { ifPresent, storeText } from '../store/storeUnwritable.ts';
import type { Forbidden } from './refusal.ts';

/** How long a host that answered 403 is left alone; SEC lifts its block after ten minutes of silence. */
const cooldownMs = 600_000;
/** The longest ban a venue speaks of; more than this is a mistake in its answer. */
const longestMs = 3 * 86_400_000;

const cooldownFile = z.strictObject({
  host: z.string(),
  refused_at: z.iso.datetime(),
  retry_at: z.iso.datetime(),
});

/** A host's refusal, kept on disk so that the next process honours it too. */
export type HostCooldown = {
  /** Throws `source_refused` while the host is to be left alone, whichever process noted it. */
  assertOpen(): Promise<void>;
  /** The same for refusals this object noted, without touching the disk. */
  assertNotRefused(): void;
  /** Notes a refusal now and returns the error to end the run with. */
  refuse(refused: Forbidden): Promise<IssuerError>;
};

type LeftAlone = {
  readonly host: string;
  /** What else to check, a clause for the hint. */
  readonly advice: string;
};

/** Opens the cool-down of one host in a source's directory. */
export function hostCooldown(
  input: LeftAlone & { readonly directory: string; readonly clock: Clock },
): HostCooldown {
  const path = join(input.directory, `cooldown-${input.host.replaceAll(/[^A-Za-z0-9.-]/g, '_')}.json`);
  let noted: Promise<void> | null = null;
  let refusedUntil = Number.NEGATIVE_INFINITY;
  return {
    assertNotRefused() {
      if (input.clock.now().getTime() < refusedUntil)
        throw refusal({ ...input, retryAt: refusedUntil, path });
    },
    async assertOpen() {
      const retryAt = await readRetryAt(path);
      if (retryAt === null) return;
      if (input.clock.now().getTime() < retryAt) throw refusal({ ...input, retryAt, path });
      noted = null;
      await rm(path, { force: true });
    },
    async refuse(refused) {
      const now = input.clock.now();
      const retryAt = now.getTime() + Math.min(longestMs, Math.max(cooldownMs, refused.askedMs ?? 0));
      refusedUntil = retryAt;
      const row = {
        host: input.host,
        refused_at: now.toISOString(),
        retry_at: new Date(retryAt).toISOString(),
      };
      // two downloads may be refused at the same time; one note is enough
      noted ??= storeText(path, `${canonicalJson(row)}\n`);
      await noted;
      return refusal({ ...input, retryAt, path, refused });
    },
  };
}

async function readRetryAt(path: string): Promise<number | null> {
  const text = await ifPresent(readFile(path, 'utf8'), null);
  if (text === null) return null;
  const noted = parsedOrNull(cooldownFile, text);
  if (noted !== null) return Date.parse(noted.retry_at);
  // a damaged note still says that the host refused, and when
  return (await stat(path)).mtimeMs + cooldownMs;
}

function refusal({
  host,
  advice,
  retryAt,
  path,
  refused,
}: LeftAlone & { retryAt: number; path: string; refused?: Forbidden }): IssuerError {
  const when = new Date(retryAt).toISOString();
  return new IssuerError({
    code: 'source_refused',
    message:
      refused === undefined
        ? `${host} refused this machine not long ago and is left alone.`
        : `${host} refused ${refused.url} (${refused.status})${because(refused.cause)}.`,
    hint: `Run again after ${when}; ${refused?.cause?.advice ?? advice}.`,
    details: { host, retry_at: when, cooldown_file: path, cause: refused?.cause?.kind ?? null },
  });
}

// a refusal without a word is how SEC throttles
function because(cause: Forbidden['cause']): string {
  return cause === null ? ', which is how it throttles' : `: ${cause.words}`;
}
