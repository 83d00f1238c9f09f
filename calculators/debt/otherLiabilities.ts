import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { sumOf } from '../exact/sumOf.ts';
import type { FactSheet } from '../filing/factSheet.ts';
import type { Concepts, DebtBucket, OtherLiability } from '../parameters/concepts.ts';

/**
 * The unnamed part of the lines that add up to a filed total together with `debt`, to the last digit; null when no
 * choice of lines does (M1.29c). For a filing of which only its facts are available, neither arcs nor their order.
 */
export function closingLines(
  sheet: FactSheet,
  {
    side,
    debt,
    concepts,
    // more lines can be picked from in too many ways to prove anything
    linesMax = 12,
  }: { side: DebtBucket; debt: ExactDecimal; concepts: Concepts; linesMax?: number },
): { readonly unnamed: ExactDecimal } | null {
  const total = totalOf(sheet, side);
  if (total === null) return null;
  const isUnnamed = ({ certainty }: OtherLiability) => certainty === 'unnamed';
  const ofSide = concepts.otherLiabilities.filter(({ bucket }) => side === 'T' || bucket === side);
  const named = amountsOf(
    sheet,
    ofSide.filter((line) => !isUnnamed(line)),
  );
  const lines = [...named, ...amountsOf(sheet, ofSide.filter(isUnnamed))];
  if (lines.length > linesMax) return null;
  const chosen = pick(lines, total.minus(debt));
  return chosen === null
    ? null
    : { unnamed: sumOf(chosen.filter((at) => at >= named.length).map(valueAt(lines))) };
}

/** Current liabilities as filed; noncurrent what `Liabilities` leaves above them; all of them. */
function totalOf(sheet: FactSheet, side: DebtBucket): ExactDecimal | null {
  if (side === 'T') return sheet.positive('us-gaap:Liabilities');
  const current = sheet.positive('us-gaap:LiabilitiesCurrent');
  if (current === null || side === 'C') return current;
  return sheet.positive('us-gaap:Liabilities')?.minus(current) ?? null;
}

function amountsOf(sheet: FactSheet, lines: readonly OtherLiability[]): ExactDecimal[] {
  return lines.flatMap(({ concept }) => sheet.positive(concept) ?? []);
}

/** The first choice of lines, most of the early ones, that adds up to `target`; by index. */
function pick(lines: readonly ExactDecimal[], target: ExactDecimal, at = 0): readonly number[] | null {
  if (target.sign === 0) return [];
  const line = lines[at];
  if (line === undefined || target.sign < 0) return null;
  const rest = pick(lines, target.minus(line), at + 1);
  return rest === null ? pick(lines, target, at + 1) : [at, ...rest];
}

function valueAt(lines: readonly ExactDecimal[]) {
  return (at: number) => lines[at] ?? ExactDecimal.zero;
}

/**
 * The sum of identified non-debt liabilities at the period end, a total for its parts (M1.37); "other" and related-party
 * lines are not identified.
 */
export function nonDebtLiabilities(
  sheet: FactSheet,
  { otherLiabilities, ancestorsOf }: Concepts,
): ExactDecimal {
  const lines = otherLiabilities.filter(({ certainty }) => certainty === 'certain');
  const filed = new Map(
    lines.flatMap(({ concept }) => {
      const amount = sheet.positive(concept);
      return amount === null ? [] : [[concept, amount] as const];
    }),
  );
  const counted = [...filed].filter(
    ([concept]) =>
      !ancestorsOf(concept)
        .values()
        .some((a) => filed.has(a)),
  );
  return sumOf(counted.map(([, amount]) => amount));
}
