import type { DuckDBConnection } from '@duckdb/node-api';
import type { ResolutionTrail } from '../../../calculators/trail/resolutionTrail.ts';
import type { CovenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { type CanonicalValue, canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { type Cell, insertRows } from '../build/insertRows.ts';
import { inTransaction } from '../build/readRows.ts';

type Member = keyof CovenantStress;

const money = 'DECIMAL(38,6)';
const texts = [
  'cik',
  'ticker',
  'entity_name',
  'accession_number',
  'filing_form',
  'core_model',
  'core_tier',
  'crypto_units_basis',
  'figures_basis',
  'treasury_relevance',
  'charge_level',
  'discharge_risk',
  'resonance_status',
  'risk_tier',
  'quality_flag',
  'data_source',
  'root_resolution_method',
  'debt_coverage_status',
  'resolution_status',
  'selection_strategy',
  'price_source',
  'live_charge_level',
  'live_discharge_risk',
  'live_resonance_status',
  'live_risk_tier',
  'stress_velocity',
  'market_regime',
] as const satisfies readonly Member[];
const ratios = [
  'crypto_share_of_assets',
  'net_debt_to_coins',
  'bitcoin_units_held',
  'ethereum_units_held',
  'stress_30pct',
  'stress_50pct',
  'stress_70pct',
  'covenant_headroom_50pct',
  'reference_covenant_ltv',
  'breach_probability_1y',
  'live_stress_30pct',
  'live_stress_50pct',
  'live_stress_70pct',
  'live_covenant_headroom_50pct',
  'live_breach_probability_1y',
  'ap_z',
  'ecs_z',
  'lsi_z',
  'mp_z',
  'st_z',
  'live_ap_z',
  'live_ecs_z',
  'live_lsi_z',
  'live_mp_z',
  'live_st_z',
  'live_stress_delta_24h',
  'live_stress_delta_7d',
  'btc_24h_change_pct',
  'btc_7d_change_pct',
] as const satisfies readonly Member[];
const amounts = [
  'total_long_term_debt',
  'current_debt',
  'noncurrent_debt',
  'total_crypto_fair_value',
  'shocked_equity_50pct',
  'live_total_crypto_fair_value',
] as const satisfies readonly Member[];
const days = [
  'period',
  'filed',
  'next_report_due',
  'reference_price_date',
] as const satisfies readonly Member[];
const counts = ['filing_age_days'] as const satisfies readonly Member[];
const flags = ['is_linkbase_backed', 'uses_live_prices'] as const satisfies readonly Member[];

const members: readonly Member[] = [...texts, ...ratios, ...amounts, ...days, ...counts, ...flags];
const typeOf = (names: readonly Member[], type: string) =>
  Object.fromEntries(names.map((name) => [name, type]));
const columns = {
  ...typeOf(texts, 'VARCHAR'),
  ...typeOf(ratios, 'DOUBLE'),
  ...typeOf(amounts, money),
  ...typeOf(days, 'DATE'),
  ...typeOf(counts, 'INTEGER'),
  ...typeOf(flags, 'BOOLEAN'),
  source_date: 'DATE',
  method_version: 'VARCHAR',
  payload: 'VARCHAR',
  resolution_trail: 'VARCHAR',
};

type Night = {
  readonly sourceDate: string;
  readonly methodVersion: string;
  readonly trails?: ReadonlyMap<string, ResolutionTrail>;
};

/**
 * Writes the covenant-stress rows of one night behind view `stress`, each with the trail of its issuer (by CIK), in
 * place of earlier rows of the same source_date and method version (M10.4). @throws IssuerError `store_unwritable` when the disk does not take them.
 */
export async function writeStressRows(
  connection: DuckDBConnection,
  stress: readonly CovenantStress[],
  night: Night,
): Promise<void> {
  await inTransaction(connection, () => putStressRows(connection, [{ ...night, stress }]));
}

/** As {@link writeStressRows}, for several nights inside the caller's transaction. */
export async function putStressRows(
  connection: DuckDBConnection,
  nights: readonly (Night & { readonly stress: readonly CovenantStress[] })[],
): Promise<void> {
  for (const { sourceDate: date, methodVersion: version } of nights) {
    await connection.run(
      'DELETE FROM stress_row WHERE source_date = $date::DATE AND method_version = $version',
      { date, version },
    );
  }
  const rows = nights.flatMap((night) =>
    night.stress.map((row) => [
      ...members.map((name) => cellOf(row[name])),
      night.sourceDate,
      night.methodVersion,
      canonicalJson(row as unknown as CanonicalValue),
      trailText(night.trails?.get(row.cik)),
    ]),
  );
  await insertRows(connection, { table: 'stress_row', columns, rows });
}

function trailText(trail: ResolutionTrail | undefined): string | null {
  return trail === undefined ? null : canonicalJson(trail as unknown as CanonicalValue);
}

/** An absurd amount stays in the payload; the typed column is null rather than the end of the night. */
function isStorable(value: ExactDecimal): boolean {
  return Math.abs(value.toNumber()) < 1e31;
}

function cellOf(value: CovenantStress[Member]): Cell {
  if (value === undefined || value === null) return null;
  // text keeps the digits a double would lose
  if (value instanceof ExactDecimal) return isStorable(value) ? value.toString() : null;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return value;
  return null;
}
