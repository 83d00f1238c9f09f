import type { BriefPlan, ChosenLine } from '../../calculators/briefs/briefPlan.ts';
import type { BriefFallback } from '../../data/contract/values/enums.ts';

/** What a language model chose of a brief, or why nothing came of it (I2.45). */
export type Choosing =
  | { readonly chosen: readonly ChosenLine[]; readonly tokens: number }
  | { readonly fallback: BriefFallback };

/** Whether a language model chooses the lines of briefs (M11.5); `off` is one that is configured and switched off. */
export type BriefRenderer =
  | { readonly kind: 'none' }
  | { readonly kind: 'off' }
  | {
      readonly kind: 'model';
      readonly model: string;
      readonly promptVersion: string;
      /** Never throws; bounded in time and bytes. */
      choose(plan: BriefPlan): Promise<Choosing>;
    };
