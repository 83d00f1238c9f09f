import { type BriefKind, briefGrammar } from '../../data/contract/payloads/reports/briefProblems.ts';
import type { BriefStyle } from '../../data/contract/values/enums.ts';
import { stressLines } from './boardLines.ts';
import {
  type BriefLine,
  type BriefSection,
  behind,
  core,
  leading,
  more,
  must,
  type SectionLines,
  when,
} from './briefLines.ts';
import { type BriefPlan, briefPlan, planText } from './briefPlan.ts';
import { covenantBrief } from './covenantBrief.ts';
import type { CovenantEvidence } from './covenantEvidence.ts';
import { countedText, countText, ratioText } from './figureText.ts';
import { morningBrief } from './morningBrief.ts';
import type { MorningEvidence } from './morningEvidence.ts';
import { listed } from './plainText.ts';
import {
  callLines,
  caveatLines,
  filingText,
  readinessLines,
  scaleSentence,
  tierSentence,
} from './sharedSentences.ts';
import type { TopStressedEvidence } from './sliceEvidence.ts';

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

function topStressedBrief(evidence: TopStressedEvidence, style: BriefStyle): SectionLines<'top_stressed'> {
  const { top_stressed: rows, reference_covenant_ltv: reference } = evidence;
  return {
    'Data Slice and Readiness': readinessLines(evidence.source_date, {
      readiness: evidence.readiness,
      style,
    }),
    'Stress Ranking': [
      must(
        `Stress is debt over coins after a 50 % fall; the reference covenant is ${ratioText(reference)}; ${tierSentence.slice('Note: '.length)}`,
      ),
      ...stressLines(rows, { style, reference }),
    ],
    'Shared Drivers': driverLines(evidence, style),
    'Limits of the Evidence': [
      ...caveatLines(evidence.caveats),
      ...when(
        evidence.excluded_unclassified > 0,
        more(`- Not ranked: ${countedText(evidence.excluded_unclassified, 'row')} without a tier.`),
      ),
      more(`- ${scaleSentence(evidence)}`),
    ],
    'Next Checks': checkLines(evidence),
  };
}

function driverLines({ pattern, margin_calls: calls }: TopStressedEvidence, style: BriefStyle): BriefLine[] {
  if (pattern.ranked_count === 0) return [core('There are no ranked issuers to compare.')];
  const live = pattern.live_count > 0;
  const ranked = countedText(pattern.ranked_count, 'ranked issuer');
  return [
    ...when(
      live,
      leading(
        core(
          `Price, of ${ranked}: tier worse at live closes than filed ${countText(pattern.worse_live_count)}, stress rising over the week ${countText(pattern.rising_count)}.`,
        ),
      ),
    ),
    ...when(!live, core('Price: no row is repriced, so readings are those of the filings.')),
    core(
      `Debt, of ${ranked}: at or above the shocked coins ${countText(pattern.debt_above_shocked_coins_count)}, none ${countText(pattern.debt_free_count)}.`,
    ),
    ...callLines(calls, style),
  ];
}

function checkLines({ top_stressed: rows, margin_calls: calls }: TopStressedEvidence): BriefLine[] {
  const [first, second] = rows;
  const crossed = calls.filter(({ live_price_fall_to_call: fall }) => fall !== null && fall <= 0);
  return [
    ...when(
      first !== undefined,
      core(
        `- Check maturities and lenders of ${first?.ticker ?? ''}${first === undefined ? '' : `, ${filingText(first)}`}.`,
      ),
    ),
    ...when(
      crossed.length > 0,
      core(
        `- Look for collateral added since the period end: ${listed(crossed.map(({ ticker }) => ticker))}.`,
      ),
    ),
    ...when(
      second !== undefined,
      behind(more(`- Then ${second?.ticker ?? ''}${second === undefined ? '' : `, ${filingText(second)}`}.`)),
    ),
    ...when(first === undefined, core('- Nothing in the evidence asks for a check.')),
  ];
}
