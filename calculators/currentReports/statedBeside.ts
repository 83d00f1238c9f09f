import { compareText } from '../../data/contract/values/compareText.ts';
import type { Statement } from './statement.ts';

// What current reports state beside coins: it is shown and moves no figure (M17.42).

type Days = { readonly after: string; readonly until: string };

/** The newest cash stated after a balance sheet; null for none. */
export function statedCash(statements: readonly Statement[], days: Days): Statement | null {
  return newest(
    statements.filter(({ kind, usd }) => kind === 'cash' && usd !== null),
    days,
  );
}

/**
 * The newest number of coins of one asset an issuer states as pledged after a day; null for none. Coins pledged or released
 * on a day are a change of it and say nothing of the whole.
 */
export function statedPledge(
  statements: readonly Statement[],
  { asset, ...days }: Days & { readonly asset: string },
): Statement | null {
  const stocks = statements.filter(
    ({ kind, asset: of, units, dateBasis }) =>
      kind === 'pledge' &&
      of === asset &&
      units !== null &&
      (dateBasis === 'as_of' || dateBasis === 'month_end'),
  );
  return newest(stocks, days);
}

function newest(statements: readonly Statement[], { after, until }: Days): Statement | null {
  return (
    statements
      .filter(
        ({ asOf, confidence }) => confidence !== 'Low' && asOf !== null && asOf > after && asOf <= until,
      )
      .toSorted(
        (a, b) =>
          compareText(a.asOf ?? '', b.asOf ?? '') || compareText(a.source.acceptedAt, b.source.acceptedAt),
      )
      .at(-1) ?? null
  );
}
