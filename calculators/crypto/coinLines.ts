import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { FaceLine } from '../assets/assetsSide.ts';
import { isBalanceOfCoins } from '../assets/classifyCoins.ts';
import { sumOf } from '../exact/sumOf.ts';
import { assetsConcepts, conceptWords } from '../network/conceptNames.ts';
import { trailFact } from '../trail/trailFact.ts';
import { type CryptoHoldings, type CryptoInputs, noHoldings } from './cryptoHoldings.ts';
import { measuredAtFairValue } from './fairValues.ts';

/** Coins shown as a part of a line may stand inside it: they count where no other line names coins. */
const part = /restricted|pledg|collateral|lock/;

/**
 * Lines before total assets, in document order, that have a coin's name (M3.3b): what the face proves of the coins although
 * its lines do not add up. An amount that repeats the sum of the lines before it is their total.
 */
function coinLines({ sheet, filing, parameters: { concepts } }: CryptoInputs): readonly FaceLine[] {
  const ofEntity = (filing?.facts ?? [])
    .filter(({ dimensions, unit, start, end }) => {
      return dimensions.length === 0 && unit === 'USD' && start === null && end === sheet.period;
    })
    .flatMap(({ concept, position }) => (position === undefined ? [] : [{ concept, position }]))
    .toSorted((a, b) => a.position - b.position);
  const total = ofEntity.findIndex(({ concept }) => assetsConcepts.some((assets) => assets === concept));
  const named = new Set(ofEntity.slice(0, Math.max(total, 0)).map(({ concept }) => concept));
  const lines: FaceLine[] = [];
  for (const concept of named) {
    const value = isBalanceOfCoins(concept, concepts) ? sheet.positive(concept) : null;
    if (value === null) continue;
    const isRepeated = lines.some((line) => line.value.equals(value)) || sumOf(values(lines)).equals(value);
    if (!isRepeated) lines.push({ concept, value });
  }
  const whole = lines.filter(({ concept }) => !conceptWords(concept).some((text) => part.test(text)));
  return whole.length > 0 ? whole : lines;
}

function values(lines: readonly FaceLine[]): ExactDecimal[] {
  return lines.map(({ value }) => value);
}

/** The coin lines of a face that does not add up, as the proven part of the coins; null without one (M3.3b, M3.3c). */
export function provenLines(inputs: CryptoInputs): CryptoHoldings | null {
  const { sheet } = inputs;
  const lines = coinLines(inputs);
  const amount = sumOf(values(lines));
  const assets = sheet.amount(assetsConcepts[0]) ?? sheet.amount(assetsConcepts[1]);
  if (amount.sign <= 0 || assets === null || amount.compare(assets) > 0) return null;
  const names = lines.map(({ concept }) => concept).join(' + ');
  return {
    ...noHoldings,
    amount,
    carried: amount,
    isProven: false,
    measurement: measuredAtFairValue(inputs, amount) ? 'fair_value' : 'carrying_lower_bound',
    rungs: [{ rung: 'coin_lines', taken: true, reason: `${names} = ${amount}; the face does not add up` }],
    roots: lines.map(({ concept, value }) => {
      const fact = trailFact(sheet, concept, 1);
      return {
        kind: 'root',
        bucket: 'T',
        concept,
        value,
        weight: 1,
        parent: null,
        role: null,
        rung: 'coin_lines',
        reason: 'a line of the face with the name of a coin',
        children: fact === null ? [] : [fact],
      };
    }),
  };
}
