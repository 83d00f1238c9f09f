import { join } from 'node:path';
import { figuresFile } from '../../data/contract/payloads/audit/figuresToCheck.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { DataLayout } from '../dataLayout.ts';
import type { StoreEffects } from '../effects.ts';
import { reviewFigures } from './reviewFigures.ts';

/**
 * Leaves the figures of the current release to check first where the audit of that slice takes them from (M13.11), and
 * says how many there are. A list that cannot be made is a warning: the release stands.
 */
export async function keepFigures(layout: DataLayout, { files, log }: StoreEffects): Promise<void> {
  try {
    const figures = await reviewFigures(layout);
    const directory = join(layout.artifacts.root, 'audit');
    await files.makeDirectory(directory);
    await replaceFile({
      files,
      path: join(directory, figuresFile(figures.source_date)),
      bytes: canonicalJson(figures as CanonicalValue),
    });
    const grave = figures.doubts.filter(({ reach }) => reach === 'another_tier').length;
    const message =
      figures.doubt_count === 0
        ? 'no figure is odd'
        : `${figures.doubt_count} figures to check, ${grave} could give another tier: issuer doctor --figures`;
    log({ level: 'info', step: 'audit', message });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log({ level: 'warn', step: 'audit', message: `the figures to check could not be listed: ${reason}` });
  }
}
