import type { Issuer } from '../../calculators/filing/rows.ts';

/** Tickers named in one sentence. */
const shown = 5;

/**
 * A sentence about the issuers without a row whose ticker SEC lists under a CIK that the universe does not know: a wrong
 * digit, or a ticker that has moved. Empty without one.
 *
 * @param listed SEC's tickers with their CIK
 * @param hasRow whether the slice has a row of a CIK
 */
export function tickersElsewhere({
  issuers,
  listed,
  hasRow,
}: {
  readonly issuers: readonly Pick<Issuer, 'cik' | 'ticker'>[];
  readonly listed: ReadonlyMap<string, string>;
  readonly hasRow: (cik: string) => boolean;
}): readonly string[] {
  const known = new Set(issuers.map(({ cik }) => cik));
  const found = issuers.flatMap(({ cik, ticker }) => {
    const owner = ticker === null ? undefined : listed.get(ticker);
    return owner === undefined || known.has(owner) || hasRow(cik)
      ? []
      : [`${ticker} is CIK ${cik} in the universe and ${owner} in SEC's ticker list`];
  });
  if (found.length === 0) return [];
  const more = found.length > shown ? `; ${found.length - shown} more` : '';
  return [`the universe names CIKs without a filing: ${found.slice(0, shown).join('; ')}${more}`];
}
