import type { BriefEvidence } from '../../calculators/briefs/compileBrief.ts';
import type { BriefFallback, BriefStyle } from '../../contract/values/enums.ts';

/** What a language model made of a brief, or why nothing came of it (I2.45). */
export type Rephrased =
  | { readonly text: string; readonly tokens: number }
  | { readonly fallback: BriefFallback };

/** A text to rephrase, with all that may stand in it. */
export type RephraseRequest = {
  readonly text: string;
  readonly evidence: BriefEvidence;
  readonly style: BriefStyle;
};

/** Whether a language model rephrases briefs (M11.5); `off` is one that is configured and switched off. */
export type BriefRenderer =
  | { readonly kind: 'none' }
  | { readonly kind: 'off' }
  | {
      readonly kind: 'model';
      readonly model: string;
      readonly promptVersion: string;
      /** Never throws; bounded in time and bytes. */
      rephrase(request: RephraseRequest): Promise<Rephrased>;
    };
