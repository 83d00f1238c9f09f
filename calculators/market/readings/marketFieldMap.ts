import type { FieldRead } from '../../../data/contract/values/enums.ts';
import type { Parameters } from '../../parameters/parameters.ts';
import { type FactorRow, inputIds } from '../factors/factorRow.ts';
import { marketPoints } from './marketPoints.ts';

/** Everything a market field map says beside its points (M9.10); the issuers of its date are added by its publisher. */
export type MarketFieldMap = {
  readonly product: string;
  readonly signal: 'market_field_pressure';
  readonly version: 'market-spectra-field-map-v1';
  readonly source_date: string | null;
  readonly summary: { readonly current_read: FieldRead; readonly watch_next: readonly string[] };
  readonly source_fields_used: readonly string[];
  readonly derived_fields: readonly string[];
  readonly chart_label_authority: {
    readonly owner: 'api';
    readonly labels: Readonly<Record<string, string>>;
  };
};

/** Labels of every curve: clients show them and make none (M9.11). */
const labels = {
  field_pressure: 'Field pressure',
  stored_energy: 'Stored energy',
  compression: 'Compression',
  release: 'Release',
  E_total: 'Energy: distance of carry, positioning and market from calm, squared',
  R_s: 'Reinforcement: carry and positioning times market; below 0 they oppose',
  delta_L: 'Change of the product’s open contracts since the point before (log)',
  price_echo: 'Index price in its range',
  volume: 'Volume of 24 hours, USD',
} as const;

/**
 * The head of a market field map at its latest row (M9.10, M9.11).
 *
 * @param rows one product and length, ascending: `marketPointRows` available ones are enough
 */
export function marketFieldMap(
  rows: readonly FactorRow[],
  { product, parameters }: { readonly product: string; readonly parameters: Pick<Parameters, 'fieldMap'> },
): MarketFieldMap {
  const latest = marketPoints(rows, { parameters }).at(-1);
  return {
    product,
    signal: 'market_field_pressure',
    version: 'market-spectra-field-map-v1',
    source_date: latest?.date ?? null,
    summary: {
      current_read: latest?.current_read ?? 'Needs Core Confirmation',
      watch_next: [
        ...(latest?.field_pressure == null ? ['complete evidence for a pressure read'] : []),
        ...(latest?.compression === 1 ? ['release of the current compression'] : []),
        ...(latest?.release === 1 ? ['whether open interest keeps falling'] : []),
        ...(latest?.factors.basis_bps == null ? [] : ['basis sign change']),
      ],
    },
    source_fields_used: [...inputIds, 'open_interest', 'index_price', 'volume_24h_usd'],
    derived_fields: Object.keys(labels),
    chart_label_authority: { owner: 'api', labels },
  };
}
