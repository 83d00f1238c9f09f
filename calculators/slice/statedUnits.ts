import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { priceCheck } from '../crypto/priceCheck.ts';
import {
  currentUnits,
  type MovedUnits,
  movesUnits,
  type StatedUnits,
} from '../currentReports/currentUnits.ts';
import { debtSince } from '../currentReports/debtSince.ts';
import type { Statement } from '../currentReports/statement.ts';
import { exactly, type Fraction, multiply, quotient, rounded } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { GradedPosition } from '../position/gradePosition.ts';
import { weightsOf } from '../prices/coinMix.ts';
import type { PriceBook } from '../prices/priceBook.ts';

type StatementContext = {
  readonly sourceDate: string;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
  readonly statements?: ReadonlyMap<string, readonly Statement[]>;
};

/** Units that live figures rest on, null where they stay on filed units; and what a row says of it. */
export type UnitsOfSlice = { readonly stated: StatedUnits | null; readonly notes: readonly string[] };

/**
 * What the statements of an issuer do to its live figures (M17.30). Filed values are scaled only from units that
 * explain them at the close of the period end, and never where a closing or repayment of the time has no amount.
 */
export function statedUnits(position: GradedPosition, context: StatementContext): UnitsOfSlice {
  const { issuer, filing, debt: filedDebt, mix } = position;
  const statements = context.statements?.get(issuer.cik) ?? [];
  if (statements.length === 0 || mix.length === 0) return { stated: null, notes: [] };
  const coins = weightsOf(mix).map(({ asset, weight }) => {
    const value = rounded(multiply(exactly(position.holdings.amount), weight), 0);
    return { asset, value, ...movedCoin({ asset, value, position, context }) };
  });
  const isMismatched = statements.some(
    ({ asOf, notes }) => (asOf ?? '') > filing.period && notes.includes('price_mismatch'),
  );
  const notes = [
    ...new Set(coins.flatMap((coin) => coin.notes)),
    ...(isMismatched ? ['price_mismatch'] : []),
  ];
  const moved = coins.flatMap((coin) => (coin.moved === null ? [] : [{ ...coin, moved: coin.moved }]));
  const first = moved.toSorted((a, b) => b.value.compare(a.value))[0];
  if (first === undefined) return { stated: null, notes };
  const debt = debtSince({
    statements,
    filedDebt: filedDebt.total,
    periodEnd: filing.period,
    day: context.sourceDate,
  });
  // new coins are never set against old debt
  if (debt.isUnread) {
    const kept = notes.filter(
      (note) => !note.startsWith('units_stated:') && !note.startsWith('units_stale:'),
    );
    return { stated: null, notes: [...kept, 'debt_since_period'] };
  }
  const factors = new Map(moved.map(({ asset, moved: { factor } }) => [asset, factor]));
  return { stated: { asset: first.asset, current: first.moved.current, factors, debt }, notes };
}

type Moved = { readonly current: MovedUnits; readonly factor: Fraction };

function movedCoin({
  asset,
  value,
  position: { issuer, filing, units },
  context,
}: {
  asset: string;
  value: ExactDecimal;
  position: GradedPosition;
  context: StatementContext;
}): { readonly moved: Moved | null; readonly notes: readonly string[] } {
  const reported = units.reported[asset];
  const current = currentUnits({
    statements: context.statements?.get(issuer.cik) ?? [],
    asset,
    day: context.sourceDate,
    filed: {
      periodEnd: filing.period,
      units: reported === undefined ? null : ExactDecimal.fromNumber(reported),
    },
    least: context.parameters.statedUnitsConfidence,
  });
  const { basis, confidence, units: now, stock, scopeUnits, notes } = current;
  if (basis === 'periodic' || now === null || stock === null || scopeUnits === null)
    return { moved: null, notes };
  const unmoved = notes.filter((note) => note.startsWith('coins_gap:'));
  if (confidence !== 'High' && confidence !== 'Medium') return { moved: null, notes: unmoved };
  // a gap takes a step of confidence away
  const least = context.parameters.statedUnitsConfidence;
  if (!movesUnits({ confidence, source: stock.source }, least)) return { moved: null, notes: unmoved };
  const close = context.prices.close(asset, filing.period);
  const { parameters } = context;
  const explains =
    close !== null &&
    priceCheck({ fairValue: value, quantity: scopeUnits, close: close.close, parameters }).verdict ===
      'accept';
  if (!explains) return { moved: null, notes: [...unmoved, 'units_scope_unknown'] };
  return {
    moved: {
      current: { ...current, units: now, basis, stock, confidence },
      factor: quotient(now, scopeUnits),
    },
    notes,
  };
}
