import { type FieldMapRow, fieldMapRow, impliedBasket } from '../../calculators/fieldMap/fieldMapRow.ts';
import type { PriceBook } from '../../calculators/prices/priceBook.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type CovenantStress, covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import type { ReleasePaths } from '../dataLayout.ts';
import { jsonOrNull } from '../exactJson.ts';
import { openRelease, readLines } from '../release/openRelease.ts';

/** The members of a published covenant row a field map reads. */
const readMembers = covenantStress.schema.pick({
  source_date: true,
  cik: true,
  ticker: true,
  accession_number: true,
  period: true,
  core_tier: true,
  total_crypto_fair_value: true,
  live_total_crypto_fair_value: true,
  uses_live_prices: true,
  bitcoin_units_held: true,
  ethereum_units_held: true,
  stress_50pct: true,
  live_stress_50pct: true,
  ap_z: true,
  ecs_z: true,
  lsi_z: true,
  mp_z: true,
  st_z: true,
  live_ap_z: true,
  live_ecs_z: true,
  live_lsi_z: true,
  live_mp_z: true,
  live_st_z: true,
  risk_tier: true,
  live_risk_tier: true,
  quality_flag: true,
  is_linkbase_backed: true,
});

/** Their names, in the order they are kept in. */
export const fieldMapMembers = Object.keys(readMembers.shape) as (keyof typeof readMembers.shape)[];

/** Rows of every issuer as a field map reads them, dates ascending. */
export type FieldMapHistory = {
  add(row: CovenantStress): void;
  readonly byCik: ReadonlyMap<string, readonly FieldMapRow[]>;
};

/**
 * Collects field-map rows slice by slice, oldest first.
 *
 * @param assets coins to look for in baskets, the likeliest first
 */
export function fieldMapHistory(input: { prices: PriceBook; assets: readonly string[] }): FieldMapHistory {
  const byCik = new Map<string, FieldMapRow[]>();
  const priced = new Map<string, string>();
  return {
    byCik,
    add(stress) {
      const row = fieldMapRow(stress, []);
      const rows = byCik.get(stress.cik) ?? [];
      byCik.set(stress.cik, rows);
      if (row.priceIndex === null) {
        rows.push(row);
        return;
      }
      // only where another filing comes into force is its basket asked for (M9.2)
      const before = priced.get(stress.cik);
      const links = before !== undefined && before !== row.accession;
      const basket = links ? impliedBasket(stress, { ...input, priceIndex: row.priceIndex }) : [];
      priced.set(stress.cik, row.accession);
      rows.push({ ...row, basket });
    },
  };
}

/**
 * Reads the covenant rows a promoted slice published, as far as a field map needs them (M9.1).
 *
 * @throws IssuerError `validation_failed` when its row store is damaged.
 */
export async function publishedCovenantRows(
  paths: ReleasePaths,
  input: { readonly sourceDate: string; readonly release: string },
): Promise<CovenantStress[]> {
  const key = covenantStress.stored.rows.key({ slice: input.sourceDate });
  const release = await openRelease(paths, input.release).catch(() => damaged(input));
  if (!release.has(key)) return damaged(input);
  return (await readLines(release, key)).map((line) => parsedRow(line, input));
}

function parsedRow(line: string, input: { sourceDate: string; release: string }): CovenantStress {
  const row = readMembers.safeParse(jsonOrNull(line));
  // the excluded members are not read
  if (row.success && row.data.source_date === input.sourceDate) return row.data as CovenantStress;
  return damaged(input);
}

function damaged({ sourceDate, release }: { sourceDate: string; release: string }): never {
  throw new IssuerError({
    code: 'validation_failed',
    message: `The covenant rows of ${sourceDate} in release ${release} cannot be read.`,
    hint: 'Check the releases with `issuer release verify`, then publish that date again with --force.',
    details: { release },
  });
}
