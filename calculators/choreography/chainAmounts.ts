import type { ChoreographyChain } from '../../data/contract/payloads/issuer/filingChoreography.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { Statement } from '../currentReports/statement.ts';
import { sumOf } from '../exact/sumOf.ts';

/** What the reports of a chain state of its money; a member is absent where they state none (M7.11). */
export type ChainAmounts = Pick<ChoreographyChain, 'principal' | 'net_proceeds' | 'securities_sold'>;

/**
 * Principal and net proceeds of notes placed privately; shares sold from a shelf by security, with the capacity that the newest
 * report leaves (M7.11).
 */
export function chainAmounts(
  kind: string,
  {
    accessions,
    statements,
  }: { readonly accessions: ReadonlySet<string>; readonly statements: readonly Statement[] },
): ChainAmounts {
  const own = statements.filter(
    ({ source, confidence }) => accessions.has(source.accession) && confidence !== 'Low',
  );
  if (kind === 'private_convert') return ofNotes(own.filter((one) => one.kind === 'notes_issued'));
  return kind === 'shelf_takedown' ? ofShares(own.filter((one) => one.kind === 'atm')) : {};
}

function ofNotes(notes: readonly Statement[]): ChainAmounts {
  const principals = notes.flatMap(({ usd }) => (usd === null ? [] : [usd]));
  const net = notes.flatMap(({ netProceeds }) => (netProceeds === null ? [] : [netProceeds]));
  return {
    ...(principals.length === 0 ? {} : { principal: sumOf(principals) }),
    ...(net.length === 0 || net.length < notes.length ? {} : { net_proceeds: sumOf(net) }),
  };
}

function ofShares(sales: readonly Statement[]): ChainAmounts {
  const dated = sales.filter(({ asOf, units }) => asOf !== null && units !== null);
  if (dated.length === 0) return {};
  const bySecurity = [...Map.groupBy(dated, ({ security }) => security)];
  return {
    securities_sold: bySecurity
      .toSorted(([a], [b]) => compareText(a ?? '', b ?? ''))
      .map(([security, of]) => {
        const newest = of.toSorted((a, b) => compareText(a.asOf ?? '', b.asOf ?? '')).at(-1);
        const proceeds = of.flatMap(({ usd }) => (usd === null ? [] : [usd]));
        return {
          security,
          shares: sumOf(of.map(({ units }) => units ?? ExactDecimal.zero)).toNumber(),
          proceeds: proceeds.length < of.length ? null : sumOf(proceeds),
          capacity_left: newest?.capacityLeft ?? null,
          to: newest?.asOf ?? '',
        };
      }),
  };
}
