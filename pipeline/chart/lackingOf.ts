import { type FactorId, type FactorRow, factorIds } from '../../calculators/market/factors/factorRow.ts';
import { lackingLevel } from '../market/lackingLevel.ts';

/** Which level of coverage each factor without a value in a row lacks, and what of it is not there (V52, M8.14). */
export function lackingOf(
  row: Pick<FactorRow, 'factors' | 'coverage' | 'quality'>,
): Readonly<Record<string, string>> {
  const missing = factorIds.filter((id) => row.factors[id] === null);
  return Object.fromEntries(missing.map((id) => [id, lackOf(id, row)]));
}

function lackOf(id: FactorId, row: Pick<FactorRow, 'coverage' | 'quality'>): string {
  const has = (flag: string) => row.quality.flags.includes(flag);
  const perp = (what: string) => `level 4: ${what}`;
  const noBasket = has('registry_missing')
    ? 'level 3: no basket is in force'
    : has('weights_invalid')
      ? 'level 3: the weights are not valid'
      : null;
  switch (id) {
    case 'funding_annualized':
      return perp('no funding rate');
    case 'basis_bps':
      return perp(
        has('index_missing')
          ? 'no index'
          : has('mark_index_apart')
            ? 'mark and index are of other times'
            : 'no mark',
      );
    case 'oi_usd':
    case 'turnover':
    case 'oi_change_24h':
      if (has('open_interest_missing')) return perp('no open interest');
      if (id === 'oi_change_24h')
        return perp(`no ${has('index_missing') ? 'mark and index' : 'open interest'} a day before`);
      return perp(id === 'oi_usd' ? 'no mark' : 'no volume of all 24 hours');
    case 'rv_30d':
    case 'rv_90d':
    case 'vol_ratio':
      return perp('too few days with mark and index');
    case 'momentum_7d':
    case 'momentum_30d':
      return perp(`no mark and index ${id === 'momentum_7d' ? 7 : 30} days before`);
    case 'amihud_30d':
      return perp('too few days with price and volume');
    case 'breadth':
    case 'breadth_count':
    case 'dispersion':
      return noBasket ?? 'level 2: too few constituents with closes of a week';
    case 'hhi':
    case 'n_eff':
      return noBasket ?? 'level 3: the weights are not public';
    case 'liquidation_imbalance':
      return perp('no liquidations');
    case 'pressure': {
      const { level, reason } = lackingLevel(row);
      return level === null ? reason : `level ${level}: ${reason}`;
    }
  }
}
