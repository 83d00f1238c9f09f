import fc from 'fast-check';
import { expect, it } from 'vitest';
import { longestBrief } from '../../data/contract/payloads/reports/naturalBrief.ts';
import { briefStyles } from '../../data/contract/values/enums.ts';
import { briefSourcesOf, issuerSourcesOf } from '../../fixtures/builders/briefSourcesOf.ts';
import { goldenContext, goldenDate, goldenPositions } from '../../fixtures/builders/goldenSlice.ts';
import { composeGraded } from '../composeSlice.ts';
import { isItem } from './briefLines.ts';
import { type BriefPlan, chosenText, planText, requiredLines, wordings } from './briefPlan.ts';
import { planBrief } from './compileBrief.ts';
import { covenantEvidence } from './covenantEvidence.ts';
import { morningEvidence } from './morningEvidence.ts';
import { topStressedEvidence } from './sliceEvidence.ts';

const slice = composeGraded(goldenPositions(), { context: await goldenContext(), history: [] });
const sources = briefSourcesOf(slice, { sourceDate: goldenDate });
const plans = [
  morningEvidence(sources, 10),
  topStressedEvidence(sources, 25),
  ...slice.issuers.map((result) => covenantEvidence(sources, issuerSourcesOf(slice, result))),
].flatMap((evidence) => briefStyles.map((style) => planBrief(evidence, style)));
const linesOf = ({ sections }: BriefPlan) => sections.flatMap(({ lines }) => lines);

it('the compiled choice gives the compiled text', () => {
  for (const plan of plans) {
    const chosen = [...plan.compiled].map(([id, wording]) => ({ id, wording }));
    expect(chosenText(plan, chosen)).toBe(planText(plan, plan.compiled));
  }
});

it('any list gives a text of our own lines that holds all that is required within its style, or none', () => {
  const some = fc.constantFrom(...plans).chain((plan) => {
    const ids = linesOf(plan).map(({ id }) => id);
    const line = fc.record({
      id: fc.oneof(fc.constantFrom(...ids), fc.constantFrom('__proto__', 'constructor', '1', '')),
      wording: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(0, 1) },
        fc.constantFrom(2, -1, 0.5, Number.NaN),
      ),
    });
    const orders = fc.shuffledSubarray(ids, { minLength: requiredLines(plan).size });
    const sound = orders.map((kept) => kept.map((id) => ({ id, wording: 0 })));
    return fc.record({ plan: fc.constant(plan), chosen: fc.oneof(fc.array(line), sound) });
  });
  fc.assert(
    fc.property(some, ({ plan, chosen }) => {
      const text = chosenText(plan, chosen);
      if (text === null) return;
      expect(text.length).toBeLessThanOrEqual(longestBrief[plan.style]);
      const ours = new Set(linesOf(plan).flatMap(wordings));
      for (const id of requiredLines(plan)) {
        const line = linesOf(plan).find((one) => one.id === id);
        expect(line && wordings(line).some((one) => text.includes(one))).toBe(true);
      }
      const items = text.split('\n').filter(isItem);
      for (const item of items)
        expect(ours.has(item) || item.includes('This text is cut to the length of its style')).toBe(true);
    }),
    { numRuns: 3000 },
  );
});
