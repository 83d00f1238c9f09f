import type { BriefKind, briefGrammar } from '../../data/contract/payloads/reports/briefGrammar.ts';
import type { BriefLine } from './briefLines.ts';

/** The lines of a brief by the heading they stand below. */
export type SectionLines<Kind extends BriefKind> = Readonly<
  Record<(typeof briefGrammar)[Kind][number], readonly BriefLine[]>
>;
