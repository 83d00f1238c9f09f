import { compareText } from '../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { isStandard } from '../debt/classifyDebt.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type FactSheet, qualifiedName } from '../filing/factSheet.ts';
import type { Concepts } from '../parameters/concepts.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { AssetsSide, FaceLine } from './assetsSide.ts';
import { readsAsCoins } from './classifyCoins.ts';

/** An amount of the notes that is exactly one line of the face, or the sum of a few (M2.3b). */
export type CoinsInLines = {
  readonly concept: string;
  readonly amount: ExactDecimal;
  readonly lines: readonly FaceLine[];
};

/** Lines that cannot hold coins, whatever the notes say. */
const otherAssets = /(debt|cash|propert|equipment|receivable|prepaid|inventor|goodwill|lease|deposit)/i;
/** Figures about coins that are no balance of them. */
const notABalance =
  /(cost|impairment|per(bit)?coin|average|gain|loss|commitment|collateral|fee|compensation|purchase|sale|customer)/i;

/**
 * The coin amount of the notes that the face proves without naming it: CLSK 2024-03-31 states `BitcoinsValue`
 * 357,981,000, and its face has `OtherAssetsCurrent` 357,981,000 (M2.3b). null when none or more than one fits.
 */
export function coinsInLines(
  side: AssetsSide,
  { sheet, parameters }: { sheet: FactSheet; parameters: Pick<Parameters, 'concepts' | 'noteToFaceLines'> },
): CoinsInLines | null {
  const lines = side.lines.filter(({ concept, value }) => value.sign > 0 && !otherAssets.test(concept));
  const notes = coinNotes(sheet, parameters.concepts);
  const found = notes.flatMap(({ concept, amount }) =>
    combinations(lines, parameters.noteToFaceLines)
      .filter((some) => sumOf(some.map(({ value }) => value)).equals(amount))
      .map((some): CoinsInLines => ({ concept, amount, lines: some })),
  );
  const [first, ...others] = found;
  // one note under two names is one amount
  const isOnly = others.every(
    (other) => other.amount.equals(first?.amount ?? other.amount) && isSame(first, other),
  );
  return first !== undefined && isOnly ? first : null;
}

function isSame(a: CoinsInLines | undefined, b: CoinsInLines): boolean {
  const names = (some: CoinsInLines | undefined) =>
    (some?.lines ?? []).map(({ concept }) => concept).join(' ');
  return names(a) === names(b);
}

function coinNotes(sheet: FactSheet, concepts: Concepts): { concept: string; amount: ExactDecimal }[] {
  const own = sheet.facts
    .filter(({ unit, start, end }) => unit === 'USD' && start === null && end === sheet.period)
    .map(qualifiedName)
    .filter((concept) => readsAsCoins(concept, concepts) && !notABalance.test(concept) && !isParent(concept));
  return [...new Set(own)].sort(compareText).flatMap((concept) => {
    const amount = sheet.positive(concept);
    return amount === null ? [] : [{ concept, amount }];
  });
}

/** Standard tags are the ladder's own steps; only the plain total can be a note of its own (M2.3b). */
function isParent(concept: string): boolean {
  return isStandard(concept) && concept !== 'us-gaap:CryptoAssetFairValue';
}

function combinations(lines: readonly FaceLine[], most: number): FaceLine[][] {
  const grow = (from: number, picked: readonly FaceLine[]): FaceLine[][] => {
    if (picked.length === most) return [];
    return lines.slice(from).flatMap((line, i) => {
      const next = [...picked, line];
      return [next, ...grow(from + i + 1, next)];
    });
  };
  return grow(0, []);
}
