import type { Parameters } from '../parameters/parameters.ts';
import type { AlphaInputs } from './alphaInputs.ts';

export type DebtCleanliness = {
  readonly score: number;
  readonly parts: { readonly coverage: number; readonly source: number; readonly quality: number };
};

/** How cleanly debt is resolved, not how small it is: the sum of its parts, all 0 for debt that is not trusted (M5.3). */
export function debtCleanliness(inputs: AlphaInputs, { alpha }: Parameters): DebtCleanliness {
  const { coverage, dataSource, quality } = inputs;
  if (coverage === 'low_confidence_missing_debt') {
    return { score: 0, parts: { coverage: 0, source: 0, quality: 0 } };
  }
  const parts = {
    coverage: alpha.coverage[coverage],
    source: dataSource === null ? 0 : alpha.source[dataSource],
    quality: quality === null ? 0 : alpha.quality[quality],
  };
  return { score: parts.coverage + parts.source + parts.quality, parts };
}
