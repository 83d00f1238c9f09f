import type { LeftOut, LeftOutArtifact } from '../compute/leftOut.ts';
import type { InputHashes } from '../source/inputHashes.ts';
import type { WarehouseEntry } from './plan/journal.ts';
import { keptHash } from './plan/keptInputs.ts';

/**
 * What the manifest says a release was made from: as planned, but an input that was refused is named by what its rows
 * rest on, and the issuers that have no row because theirs could not be made are listed, and so are the keys of
 * artifacts that could not (M6.6c).
 */
export function manifestInputs(
  planned: InputHashes,
  {
    warehouse,
    leftOut,
    artifactsLeftOut,
  }: {
    readonly warehouse: Pick<WarehouseEntry, 'refused' | 'held'> | null;
    readonly leftOut: readonly LeftOut[];
    readonly artifactsLeftOut: readonly LeftOutArtifact[];
  },
): InputHashes {
  const { refused = [], held = {} } = warehouse ?? {};
  const rested = refused.map(({ name, kept_from }) => {
    const before = held[name];
    if (kept_from === null) return [name, 'refused'] as const;
    // an entry of an archive has no hash of its own
    if (before === undefined) return [name, `kept from ${kept_from}`] as const;
    return [name, keptHash({ name, sha256: before.sha256, sourceDate: before.source_date })] as const;
  });
  const ciks = leftOut.map(({ cik }) => cik).sort();
  const keys = artifactsLeftOut.map(({ key }) => key).sort();
  return {
    ...planned,
    ...Object.fromEntries(rested),
    ...(ciks.length === 0 ? {} : { left_out: ciks.join(' ') }),
    ...(keys.length === 0 ? {} : { left_out_artifacts: keys.join(' ') }),
  };
}
