import type { FactSheet } from '../filing/factSheet.ts';
import type { TrailRoot, TrailRung } from '../trail/resolutionTrail.ts';
import { trailFact } from '../trail/trailFact.ts';
import { coinCandidates } from './coinCandidates.ts';
import { coinsBeforeAdoption } from './coinsBeforeAdoption.ts';
import { type CryptoHoldings, noHoldings } from './cryptoHoldings.ts';
import type { CryptoInputs } from './cryptoInputs.ts';
import { fairValueTotal } from './fairValueTotals.ts';
import { coinsAmongIntangibles } from './intangibleCoins.ts';
import { measuredAtFairValue } from './measuredAtFairValue.ts';

const noTags: TrailRung = { rung: 'fair_value_tags', taken: false, reason: 'no fair-value tag is filed' };

/**
 * Coins by their tags where no walk of the assets side decides: fair values, else the intangible line (M2.4–M2.6); null
 * when the filing has neither above zero. Totals that contradict each other prove none, and the smallest is kept
 * (M2.4b).
 */
export function taggedCoins(inputs: CryptoInputs): CryptoHoldings | null {
  return fairValueCoins(inputs) ?? intangibleLine(inputs);
}

function fairValueCoins(inputs: CryptoInputs): CryptoHoldings | null {
  const { sheet } = inputs;
  const fair = fairValueTotal(sheet);
  if (fair === null || fair.amount.sign <= 0) return null;
  const { smallest, largest, disagree } = coinCandidates({ ...inputs, fair });
  const amount = disagree ? smallest : fair.amount;
  const found = `${fair.concepts.join(' + ')} = ${fair.amount}`;
  const reason = disagree ? `${found}, but the filing gives totals from ${smallest} to ${largest}` : found;
  return {
    ...noHoldings,
    amount,
    carried: amount,
    measurement: 'fair_value',
    isProven: !disagree,
    disagreement: disagree,
    notes: disagree ? [`crypto_candidates_disagree:${smallest}/${largest}`] : [],
    rungs: [{ rung: 'fair_value_tags', taken: true, reason }],
    roots: fair.concepts.flatMap((concept) => tagRoot(sheet, concept, 'fair_value_tags')),
  };
}

function intangibleLine(inputs: CryptoInputs): CryptoHoldings | null {
  const { issuer, sheet, parameters } = inputs;
  const { intangibleCoins } = parameters.concepts;
  const amount = coinsAmongIntangibles(issuer, sheet, parameters);
  if (amount === null) return null;
  const holdings: CryptoHoldings = {
    ...noHoldings,
    amount,
    carried: amount,
    measurement: 'fair_value',
    rungs: [noTags, { rung: 'intangible_line', taken: true, reason: `${intangibleCoins} = ${amount}` }],
    roots: tagRoot(sheet, intangibleCoins, 'intangible_line'),
  };
  return measuredAtFairValue(inputs, amount) ? holdings : coinsBeforeAdoption(inputs, holdings);
}

function tagRoot(sheet: FactSheet, concept: string, rung: string): TrailRoot[] {
  const value = sheet.amount(concept);
  const fact = trailFact(sheet, concept, 1);
  if (value === null || fact === null) return [];
  return [
    {
      kind: 'root',
      bucket: 'T',
      concept,
      value,
      weight: 1,
      parent: null,
      role: null,
      rung,
      reason: 'dictionary',
      children: [fact],
    },
  ];
}
