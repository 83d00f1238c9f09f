import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Parameters, parseParameters } from '../../calculators/parameters/parameters.ts';
import { figureDoubts } from '../../calculators/review/figureDoubts.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { FiguresToCheck } from '../../data/contract/payloads/audit/figuresToCheck.ts';
import type { DataLayout } from '../nightly/plan/dataLayout.ts';
import { programRoot } from '../programRoot.ts';
import { readCurrent, releaseParts } from '../release/releaseStore.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import { readReviewedIssuers } from './readReviewedIssuers.ts';

/**
 * The figures of the current release to look at first (M13.11), from the rows and trails the last complete build keeps;
 * no input is read again.
 *
 * @throws IssuerError `input_missing` without a release, a warehouse, or rows of that slice.
 */
export async function reviewFigures(layout: DataLayout): Promise<FiguresToCheck> {
  const release = await readCurrent(layout.artifacts);
  if (release === null) {
    throw new IssuerError({
      code: 'input_missing',
      message: 'No release has been published yet, so there are no figures to check.',
      hint: 'Run `issuer nightly --source fixtures`.',
    });
  }
  const { sourceDate } = releaseParts(release);
  const database = await openWarehouse(layout.database);
  try {
    const issuers = await readReviewedIssuers(database.connection, sourceDate);
    if (issuers.length === 0) throw noRows(release, sourceDate);
    const doubts = figureDoubts(issuers, await readParameters());
    return {
      schema_id: 'figures_to_check.v1',
      source_date: sourceDate,
      release,
      row_count: issuers.length,
      compared_count: issuers.filter(({ earlierFiling }) => earlierFiling !== null).length,
      doubt_count: doubts.length,
      doubts,
    };
  } finally {
    database.close();
  }
}

async function readParameters(): Promise<Parameters> {
  const path = join(programRoot, 'data', 'registry', 'parameters.json');
  return parseParameters(JSON.parse(await readFile(path, 'utf8')));
}

function noRows(release: string, sourceDate: string): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message: `The warehouse has no rows of ${release}.`,
    hint: `Compute them again: issuer nightly --date ${sourceDate} --from compute --force, with its --source.`,
  });
}
