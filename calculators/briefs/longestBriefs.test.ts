import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { briefProblems } from '../../data/contract/payloads/reports/briefProblems.ts';
import { briefStyles } from '../../data/contract/values/enums.ts';
import { anyCovenant, anyMorning, anyTopStressed } from '../../fixtures/builders/anyBriefEvidence.ts';
import { caveatSentence, shortCaveat } from './briefCaveats.ts';
import { type BriefPlan, planText } from './briefPlan.ts';
import { type BriefEvidence, planBrief } from './compileBrief.ts';
import { ratioText } from './figureText.ts';
import { tierSentence } from './sharedSentences.ts';

/** What a brief says in every style (M11.9). */
function mandatory(evidence: BriefEvidence): readonly string[] {
  const always = [
    evidence.source_date,
    ratioText(evidence.reference_covenant_ltv),
    tierSentence.slice('Note: '.length),
  ];
  if (evidence.brief !== 'covenant') return always;
  const {
    risk_tier,
    total_crypto_fair_value: coins,
    total_long_term_debt: debt,
    figures_basis: basis,
  } = evidence;
  const proven = basis === 'resolved' ? [] : ['not proven'];
  const reading =
    basis === 'resolved' && coins !== '0' && debt !== '0' ? [ratioText(evidence.stress_50pct)] : [];
  const { live: now } = evidence;
  const overlay =
    now === null || debt === '0' ? [] : [ratioText(now.live_stress_50pct), now.live_risk_tier ?? ''];
  const later = evidence.facilities.some(({ is_subsequent: isLater }) => isLater)
    ? ['after the period end is in no reading']
    : [];
  return [...always, `Its risk tier is ${risk_tier}`, ...proven, ...reading, ...overlay, ...later];
}

/** Lines that stand away from the line they read behind. */
const strays = ({ sections, compiled }: BriefPlan) =>
  sections.flatMap(({ lines }) => {
    const kept = lines.filter(({ id }) => compiled.has(id));
    return kept.filter(({ behind }, i) => behind !== null && kept[i - 1]?.id !== behind);
  });

describe('a brief of any evidence (M11.9)', () => {
  it.each([
    ['covenant', anyCovenant],
    ['top-stressed', anyTopStressed],
    ['morning', anyMorning],
  ] as [string, fc.Arbitrary<BriefEvidence>][])(
    'a %s brief compiles in every style and says all that has to be said',
    (_, evidences) => {
      fc.assert(
        fc.property(evidences, fc.constantFrom(...briefStyles), (evidence, style) => {
          const plan = planBrief(evidence, style);
          const text = planText(plan, plan.compiled);
          expect(briefProblems({ text, evidence, kind: evidence.brief, style })).toEqual([]);
          for (const said of mandatory(evidence)) expect(text).toContain(said);
          for (const code of evidence.caveats)
            expect(
              [caveatSentence(code), shortCaveat(code)].some((one) => text.includes(`- ${one}`)),
              code,
            ).toBe(true);
          expect(strays(plan)).toEqual([]);
        }),
        { numRuns: 1500 },
      );
    },
    120_000,
  );
});
