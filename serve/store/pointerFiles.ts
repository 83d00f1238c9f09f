import { hash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import {
  lowerSequence,
  type Promotion,
  promotedSlices,
  promotion,
  promotionNames,
  promotionSeen,
  releaseName,
  sliceIndex,
  type WithdrawnSlice,
  withdrawnSlices,
} from '../../data/contract/release/releaseFiles.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { layoutHint, layoutProblem, storeNames } from '../../data/store/storeFiles.ts';
import { isOverloaded, unavailable } from './artifactFaults.ts';
import type { Release, Snapshot } from './artifactStore.ts';
import type { TellStore } from './remoteHealth.ts';
import { type JudgeKey, parsedJson, verifySigned } from './verifySigned.ts';

/** The files that say which releases answer, as they lie in a store; null for one that is not there. */
export type PointerBytes = {
  readonly layout: Buffer | null;
  readonly current: Buffer | null;
  readonly slices: Buffer | null;
};

/** The pointers of a remote store as they were taken up. */
export type RemotePointers = PointerBytes & { readonly lastRun: Buffer | null };

/** What they say. */
export type PointerFiles = {
  /** null while nothing is promoted. */
  readonly currentName: string | null;
  /** Promoted release of each source date. */
  readonly slices: Readonly<Record<string, string>>;
  /** Source dates with a promoted release, ascending. */
  readonly dates: readonly string[];
  readonly withdrawn: readonly WithdrawnSlice[];
};

/** @throws IssuerError `artifact_unavailable` with what is wrong, and what to do about a store of another layout (STORE ST13) */
export function pointerFiles({ layout, current, slices }: PointerBytes): PointerFiles {
  const parsed = sliceIndex.safeParse(slices === null ? {} : parsedJson(slices));
  if (!parsed.success) throw unavailable('slices.json', 'it is not a map of dates to releases');
  const files = promotedFiles(current, parsed.data);
  const isEmpty = files.currentName === null && files.dates.length === 0;
  const message = layoutProblem({ bytes: layout, isEmpty });
  if (message === null) return files;
  throw new IssuerError({
    code: 'artifact_unavailable',
    // /ready shows the sentence alone, to the one who can do something
    message: `${message} ${layoutHint}`,
    hint: 'The operator sees the same in /ready.',
    details: { artifact_key: storeNames.layout },
  });
}

function promotedFiles(current: Buffer | null, index: Parameters<typeof promotedSlices>[0]): PointerFiles {
  const withdrawn = withdrawnSlices(index);
  if (current === null) return { currentName: null, slices: {}, dates: [], withdrawn };
  const name = releaseName.safeParse(current.toString('utf8').trimEnd());
  if (!name.success) throw unavailable('current', 'it names no release');
  const slices = promotedSlices(index);
  return { currentName: name.data, slices, dates: Object.keys(slices).sort(), withdrawn };
}

/** Their name in a replica. */
export const keptPointersName = 'pointers.json';

const text = z.string().nullable();
const pointersForm = z.strictObject({ layout: text, current: text, slices: text, lastRun: text });

/** The pointers as one file of a replica, so that a start without the store finds them together. */
export const keptPointers = {
  encode: (pointers: RemotePointers): Buffer => {
    const texts = Object.entries(pointers).map(([name, bytes]) => [name, bytes?.toString('utf8') ?? null]);
    return Buffer.from(JSON.stringify(Object.fromEntries(texts)));
  },
  /** null where there are none, or not whole. */
  decode: (bytes: Buffer | null): RemotePointers | null => {
    const parsed = pointersForm.safeParse(parsedJson(bytes));
    if (!parsed.success) return null;
    const of = (value: string | null) => (value === null ? null : Buffer.from(value));
    const { layout, current, slices, lastRun } = parsed.data;
    return { layout: of(layout), current: of(current), slices: of(slices), lastRun: of(lastRun) };
  },
};

/** The pointers as one request sees them; `release` opens a release by its name. */
export function releaseSnapshot(
  pointers: PointerFiles,
  release: (name: string) => Promise<Release>,
): Snapshot {
  const { currentName, slices } = pointers;
  return {
    currentName,
    dates: pointers.dates,
    withdrawn: pointers.withdrawn,
    current: async () => (currentName === null ? null : release(currentName)),
    async ofDate(sourceDate) {
      const name = Object.hasOwn(slices, sourceDate) ? slices[sourceDate] : undefined;
      return name === undefined ? null : release(name);
    },
    async named(name) {
      const isNamed =
        name === currentName ||
        Object.values(slices).includes(name) ||
        // what was published stays readable by its name
        pointers.withdrawn.some((slice) => slice.release === name);
      return isNamed ? release(name) : null;
    },
    async retained(name) {
      if (!releaseName.safeParse(name).success) return null;
      return release(name).catch((error: unknown) => {
        // whether it is there cannot be said
        if (isOverloaded(error)) throw error;
        return null;
      });
    },
  };
}

/** Looks at the signed sequence of pointers before they are taken up (STORE ST21). */
export type PromotionWatch = {
  /**
   * Takes what was read of `promotion.json` before the pointers, which a publication moves first.
   *
   * @throws IssuerError `artifact_unavailable` when the sequence is lower than one that was seen, or not signed, or where
   * the pointers are those of a lower one
   */
  check(pointers: PointerBytes & { readonly promotion: Buffer | null }): void;
};

/** A publication moves its pointers one after the other, and signs them at its end. */
const patienceMs = 10 * 60_000;
/** Signed states a process remembers; a night signs one. */
const mostStates = 1_000;

/**
 * Makes the watch. The highest sequence is kept beside the store, so that a start knows it.
 *
 * @param keeps whether it may be written
 */
export function promotionWatch({
  seenPath,
  keeps,
  nowMs,
  trusts,
  tell,
}: {
  seenPath: string;
  keeps: boolean;
  nowMs(): number;
  trusts: JudgeKey;
  tell: TellStore;
}): PromotionWatch {
  let seen = seenIn(seenPath);
  let known: { readonly bytes: string; readonly signed: Promotion } | null = null;
  /** The sequence each state of the pointers was last signed under, as far as this process saw it. */
  const states = new Map<string, number>();
  let apart: { readonly said: string; readonly sinceMs: number; isTold: boolean } | null = null;

  function signedIn(bytes: Buffer | null): Promotion | null {
    if (bytes === null) return null;
    const text = bytes.toString('utf8');
    if (known?.bytes === text) return known.signed;
    const parsed = promotion.safeParse(parsedJson(bytes));
    if (!parsed.success) throw unavailable(promotionNames.stored, 'it is damaged');
    const wrong = verifySigned(parsed.data, trusts);
    if (wrong !== null)
      throw unavailable(promotionNames.stored, 'it is not signed by a key of this deployment');
    known = { bytes: text, signed: parsed.data };
    return parsed.data;
  }

  function remember({ current, slices_sha256, sequence }: Promotion): void {
    const state = `${current} ${slices_sha256}`;
    states.delete(state);
    states.set(state, sequence);
    const [oldest] = states.keys();
    if (states.size > mostStates && oldest !== undefined) states.delete(oldest);
  }

  /** Pointers that nothing signed are reported, once they stand for longer than a publication takes. */
  function compare(signed: Promotion, { current, slices }: PointerBytes): void {
    const index = (parsedJson(slices) ?? {}) as CanonicalValue;
    const name = current?.toString('utf8').trimEnd() ?? null;
    const said = `${name} ${hash('sha256', canonicalJson(index), 'hex')}`;
    const sequence = states.get(said);
    if (sequence !== undefined && sequence < signed.sequence) {
      const found = `the pointers are those of sequence ${sequence}, and ${signed.sequence} was signed`;
      throw unavailable(promotionNames.stored, `${found}: an older state was put back`);
    }
    if (sequence === signed.sequence) apart = null;
    else if (apart?.said !== said) apart = { said, sinceMs: nowMs(), isTold: false };
    if (apart === null || apart.isTold || nowMs() - apart.sinceMs < patienceMs) return;
    apart.isTold = true;
    tell({ level: 'warn', event: 'pointers_not_signed', fields: { release: name } });
  }

  return {
    check(pointers) {
      const signed = signedIn(pointers.promotion);
      const why = lowerSequence(signed?.sequence ?? null, seen);
      if (why !== null) throw unavailable(promotionNames.stored, `it ${why}`);
      if (signed === null) return;
      if (signed.sequence > seen) {
        seen = signed.sequence;
        if (keeps) keep(seenPath, seen);
      }
      remember(signed);
      compare(signed, pointers);
    },
  };
}

function seenIn(path: string): number {
  try {
    return promotionSeen.parse(JSON.parse(readFileSync(path, 'utf8'))).sequence;
  } catch {
    return 0;
  }
}

/** What cannot be written is known until this process ends. */
function keep(path: string, sequence: number): void {
  const partial = `${path}.${process.pid}.partial`;
  try {
    writeFileSync(partial, canonicalJson({ sequence }));
    // the other process may have seen more meanwhile
    if (seenIn(path) < sequence) renameSync(partial, path);
  } catch {
    // not logged: the store itself can be read
  }
}
