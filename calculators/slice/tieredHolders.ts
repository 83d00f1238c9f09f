import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { isCryptoUnproven } from '../relevance/treasuryRelevance.ts';

type Row = Pick<
  CovenantStress,
  | 'ticker'
  | 'risk_tier'
  | 'figures_basis'
  | 'treasury_relevance'
  | 'total_crypto_fair_value'
  | 'data_quality_notes'
>;

/** How many issuers whose coins matter have a tier, and which have none (M5.14b). */
export type TieredHolders = {
  readonly total: number;
  readonly with_tier: number;
  /** Tickers, ascending. */
  readonly without: readonly string[];
};

/**
 * Counts the coin holders of a slice: rows whose coins are core or material, and rows whose coins are not proven although the
 * filing states an amount above zero. Vehicles, which never have a tier (M3.10), are not to be among the rows.
 */
export function tieredHolders(rows: readonly Row[]): TieredHolders {
  const holders = rows.filter(isHolder);
  const without = holders
    .filter(({ risk_tier: tier }) => tier === 'UNCLASSIFIED')
    .map(({ ticker }) => ticker);
  return {
    total: holders.length,
    with_tier: holders.length - without.length,
    without: without.sort(),
  };
}

function isHolder(row: Row): boolean {
  const { treasury_relevance: relevance, figures_basis: basis } = row;
  if (relevance === 'core' || relevance === 'material') return true;
  if (basis === undefined || !isCryptoUnproven(basis)) return false;
  const stated = row.data_quality_notes?.some((note) => /^crypto_\w+:.*[1-9]/.test(note)) === true;
  return stated || String(row.total_crypto_fair_value) !== '0';
}
