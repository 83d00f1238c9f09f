import { createHash, type Hash } from 'node:crypto';
import { calculationHistory, calculationHistoryIndex } from '../../contract/payloads/calculationHistory.ts';
import { coreHistory } from '../../contract/payloads/coreHistory.ts';
import { type OpenRelease, openRelease } from '../release/openRelease.ts';
import type { ReleasePaths } from '../release/releasePaths.ts';
import { manifestSignatureHolds } from '../release/signingKey.ts';

/** What was kept of an issuer in an earlier release: dates ascending, a core line and two calculation lines of each. */
export type BaseLines = {
  readonly dates: readonly string[];
  readonly core: BaseFile;
  readonly calculation: BaseFile;
  /** Bytes of the compact line of each date; the full line follows it. */
  readonly compactLengths: readonly number[];
};

/** A history file of an earlier release, checked against its manifest. */
export type BaseFile = {
  readonly bytes: Buffer;
  /** Ends of the dates' lines: date i is the bytes from `ends[i - 1]`, or 0, to `ends[i]`. */
  readonly ends: readonly number[];
  /** The hash over all of `bytes`, to go on from. */
  readonly hash: Hash;
};

/** The histories of an earlier release. */
export type HistoryBase = {
  /** The release that answered for each date when the histories were made. */
  readonly slices: Readonly<Record<string, string>>;
  readonly ciks: readonly string[];
  /** null for an issuer that had none. */
  lines(cik: string): Promise<BaseLines | null>;
};

/** The earlier release cannot be relied on; histories are made from the slices instead. */
export class DamagedBase extends Error {}

/**
 * Opens the histories of an earlier release. Every file is checked against the signed manifest as it is read.
 *
 * @throws DamagedBase when the release or its index is not what its manifest says.
 */
export async function openHistoryBase({
  paths,
  release,
  slices,
}: {
  paths: ReleasePaths;
  release: string;
  slices: Readonly<Record<string, string>>;
}): Promise<HistoryBase> {
  const opened = await openRelease(paths, release).catch(() => damaged(`${release} is gone`));
  const { manifest } = opened;
  if (!manifestSignatureHolds(manifest)) return damaged('its signature does not hold');
  const read = hashedReader(opened);
  const indexKey = calculationHistory.stored.index.key({ slice: manifest.source_date });
  const { bytes } = await read(indexKey);
  const parsed = calculationHistoryIndex.safeParse(JSON.parse(bytes.toString('utf8')));
  if (!parsed.success) return damaged(`${indexKey} is no index`);
  const { issuers, source_dates: sourceDates } = parsed.data;
  const byCik = new Map(issuers.map((issuer) => [issuer.cik, issuer]));
  return {
    slices,
    ciks: issuers.map((issuer) => issuer.cik),
    async lines(cik) {
      const issuer = byCik.get(cik);
      if (issuer === undefined) return null;
      const core = await read(coreHistory.stored.rows.key({ cik }));
      const calculation = await read(calculationHistory.stored.rows.key({ cik }));
      const dates = issuer.dates.map((position) => sourceDates[position] ?? '');
      const coreEnds = lineEnds(core.bytes);
      const ends = dates.map((_, i) => issuer.offsets[2 * i + 2] ?? -1);
      if (coreEnds.length !== dates.length || (ends.at(-1) ?? 0) !== calculation.bytes.length) {
        return damaged(`the histories of ${cik} do not fit their index`);
      }
      const compactLengths = dates.map(
        (_, i) => (issuer.offsets[2 * i + 1] ?? 0) - (issuer.offsets[2 * i] ?? 0),
      );
      return {
        dates,
        compactLengths,
        core: { ...core, ends: coreEnds },
        calculation: { ...calculation, ends },
      };
    },
  };
}

function hashedReader(release: OpenRelease): (key: string) => Promise<{ bytes: Buffer; hash: Hash }> {
  return async (key) => {
    const bytes = await release.read(key).catch(() => damaged(`${key} is missing or has another hash`));
    if (bytes === null) return damaged(`${key} is missing`);
    return { bytes, hash: createHash('sha256').update(bytes) };
  };
}

/** SHA-256 of bytes that begin with those of a base file, without hashing the beginning again. */
export function hashOfContinued(base: BaseFile, more: readonly Uint8Array[]): string {
  const hash = base.hash.copy();
  for (const part of more) hash.update(part);
  return hash.digest('hex');
}

function lineEnds(bytes: Buffer): number[] {
  const ends: number[] = [];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) ends.push(at + 1);
  return ends;
}

function damaged(what: string): never {
  throw new DamagedBase(what);
}
