import type { Issuer } from '../../calculators/filing/rows.ts';

/**
 * Drops from every issuer the aliases that `listed` gives to another CIK: a former ticker that another
 * registrant trades under today no longer means its former owner (I1.16, I1.17).
 *
 * `listed` maps the tickers of SEC's ticker file to their CIK.
 */
export function dropReassignedAliases<I extends Issuer>({
  issuers,
  listed,
}: {
  readonly issuers: readonly I[];
  readonly listed: ReadonlyMap<string, string>;
}): I[] {
  return issuers.map((issuer) => ({
    ...issuer,
    aliases: issuer.aliases.filter((alias) => (listed.get(alias) ?? issuer.cik) === issuer.cik),
  }));
}
