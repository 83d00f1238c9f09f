import { z } from 'zod';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import {
  promotedSlices,
  releaseName,
  sliceIndex,
  type WithdrawnSlice,
  withdrawnSlices,
} from '../../data/contract/release/releaseFiles.ts';
import { layoutHint, layoutProblem, storeNames } from '../../data/store/storeFiles.ts';
import { isOverloaded, unavailable } from './artifactFaults.ts';
import type { Release, Snapshot } from './artifactStore.ts';
import { parsedJson } from './verifySigned.ts';

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
    message: `${message} ${layoutHint}`,
    hint: layoutHint,
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
