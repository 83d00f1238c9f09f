import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import {
  promotedSlices,
  releaseName,
  sliceIndex,
  type WithdrawnSlice,
  withdrawnSlices,
} from '../../data/contract/release/releaseFiles.ts';
import { layoutHint, layoutProblem, storeNames } from '../../data/store/storeFiles.ts';
import { parsedJson } from './parsedJson.ts';
import { unavailable } from './unavailable.ts';

/** The files that say which releases answer, as they lie in a store; null for one that is not there. */
export type PointerBytes = {
  readonly layout: Buffer | null;
  readonly current: Buffer | null;
  readonly slices: Buffer | null;
};

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
