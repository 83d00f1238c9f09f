import { type BriefKind, briefGrammar } from '../../data/contract/payloads/reports/briefGrammar.ts';
import type { BriefStyle } from '../../data/contract/values/enums.ts';
import type { BriefSection } from './briefLines.ts';
import { type BriefPlan, briefPlan, planText } from './briefPlan.ts';
import { covenantBrief } from './covenantBrief.ts';
import type { CovenantEvidence } from './covenantEvidence.ts';
import { morningBrief } from './morningBrief.ts';
import type { MorningEvidence } from './morningEvidence.ts';
import type { SectionLines } from './sectionLines.ts';
import { topStressedBrief } from './topStressedBrief.ts';
import type { TopStressedEvidence } from './topStressedEvidence.ts';

/** The evidence of a brief of any kind; `brief` names its grammar. */
export type BriefEvidence = MorningEvidence | TopStressedEvidence | CovenantEvidence;

/** Version of the templates (M11.1). */
export const compilerVersion = 'brief-1.0';

/** The brief of one style as Markdown: a pure function of the evidence (M11.1, I2.42, I2.43). */
export function compileBrief(evidence: BriefEvidence, style: BriefStyle): string {
  const plan = planBrief(evidence, style);
  return planText(plan, plan.compiled);
}

/** What a brief of one style may say of its evidence, and what of it the compiled text says (M11.9). */
export function planBrief(evidence: BriefEvidence, style: BriefStyle): BriefPlan {
  return briefPlan({ title: titleOf(evidence), sections: sectionsOf(evidence, style), style });
}

function titleOf(evidence: BriefEvidence): string {
  switch (evidence.brief) {
    case 'morning':
      return `Morning Brief ${evidence.source_date}`;
    case 'top_stressed':
      return `Top Stressed Issuers ${evidence.source_date}`;
    case 'covenant':
      return `Covenant Stress ${evidence.ticker} ${evidence.source_date}`;
  }
}

function sectionsOf(evidence: BriefEvidence, style: BriefStyle): readonly BriefSection[] {
  switch (evidence.brief) {
    case 'morning':
      return inOrder(evidence.brief, morningBrief(evidence, style));
    case 'top_stressed':
      return inOrder(evidence.brief, topStressedBrief(evidence, style));
    case 'covenant':
      return inOrder(evidence.brief, covenantBrief(evidence, style));
  }
}

function inOrder<Kind extends BriefKind>(kind: Kind, lines: SectionLines<Kind>): readonly BriefSection[] {
  const headings: readonly (keyof SectionLines<Kind>)[] = briefGrammar[kind];
  return headings.map((heading) => ({ heading, lines: lines[heading] }));
}
