import { capitalRow } from '../../calculators/capital/surface/capitalRow.ts';
import { type CapitalStanding, capitalStanding } from '../../calculators/changes/capitalMoves.ts';
import { type FacilityStanding, facilityFigures } from '../../calculators/changes/facilityMoves.ts';
import { figureEvidence, type SliceStanding, trackedFigures } from '../../calculators/changes/sliceMoves.ts';
import type { IssuerResult } from '../../calculators/composeSlice.ts';
import { capital } from '../../data/contract/payloads/issuer/capital.ts';
import { companyFundamentals } from '../../data/contract/payloads/issuer/companyFundamentals.ts';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { alphaOpportunities } from '../../data/contract/payloads/universe/alphaOpportunities.ts';
import type { RiskTier } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { ReleasePaths } from '../dataLayout.ts';
import { parseExact } from '../exactJson.ts';
import { type OpenRelease, openRelease, readLines } from '../release/openRelease.ts';
import { newestNight } from '../release/releaseStore.ts';

/** The slice before, as far as it is compared with the next. */
export type PreviousSlice = {
  readonly sourceDate: string;
  readonly standings: readonly SliceStanding[];
};

/**
 * Reads the slice that moves are counted from (M6.4): the newest that a night published, whose archive the changed facts
 * are counted from, too; where no night is before, the newest that was backfilled; null when the history is empty.
 *
 * @param history ascending
 */
export async function readPreviousSlice({
  paths,
  history,
}: {
  paths: ReleasePaths;
  history: readonly { sourceDate: string; release: string }[];
}): Promise<PreviousSlice | null> {
  const last = (await newestNight(paths, history)) ?? history.at(-1);
  if (last === undefined) return null;
  const standings = await readStandings(await openRelease(paths, last.release));
  return { sourceDate: last.sourceDate, standings };
}

async function readStandings(release: OpenRelease): Promise<SliceStanding[]> {
  const slice = release.manifest.source_date;
  const scores = await readScores(release, alphaOpportunities.stored.rows.key({ slice }));
  const rows = await readRowsOf(release, covenantStress.stored.rows.key({ slice }));
  const ciks = rows.map((row) => text(row, 'cik'));
  const filed = await readFiled(release, { slice, ciks });
  const capitals = await readCapitals(release, { slice, ciks });
  return rows.map((row) => {
    const cik = text(row, 'cik');
    return {
      cik,
      ticker: text(row, 'ticker'),
      entityName: text(row, 'entity_name') || text(row, 'ticker'),
      accession: text(row, 'accession_number'),
      period: text(row, 'period'),
      filingForm: text(row, 'filing_form'),
      method: methodOf(row),
      evidence: figureEvidence(row),
      riskTier: text(row, 'risk_tier') as RiskTier,
      stress50: stressOf(row),
      alphaScore: scores.get(cik) ?? null,
      facilities: facilitiesOf(row),
      capital: capitals.get(cik) ?? null,
      figures: figuresOf({ ...row, ...filed.get(cik) }),
    };
  });
}

/** Filed figures by CIK: objects in the release of a night, rows in one that was backfilled (I4.36). */
async function readFiled(
  release: OpenRelease,
  { slice, ciks }: { slice: string; ciks: readonly string[] },
): Promise<ReadonlyMap<string, Row>> {
  const { object, rows } = companyFundamentals.stored;
  const filed = await readRowsOf(release, rows.key({ slice }));
  for (const cik of filed.length > 0 ? [] : ciks) {
    const stored = await release.read(object.key({ slice, cik }));
    if (stored !== null) filed.push(parseExact(stored.toString('utf8')) as Row);
  }
  return new Map(filed.map((row) => [text(row, 'cik'), (row['fundamentals'] ?? {}) as Row]));
}

async function readRowsOf(release: OpenRelease, key: string): Promise<Row[]> {
  return (await readLines(release, key)).map((line) => parseExact(line) as Row);
}

/** The standings of the slice that is being computed. */
export function standingsOf(
  results: readonly IssuerResult[],
  scores: ReadonlyMap<string, number>,
): SliceStanding[] {
  return results.map((result) => {
    const { stress, fundamentals } = result;
    const figures: Row = { ...stress, ...fundamentals.fundamentals };
    return {
      cik: stress.cik,
      ticker: stress.ticker,
      entityName: stress.entity_name ?? stress.ticker,
      accession: stress.accession_number ?? '',
      period: stress.period ?? '',
      filingForm: stress.filing_form ?? '',
      method: methodOf(stress),
      evidence: figureEvidence(stress),
      riskTier: stress.risk_tier,
      stress50: stressOf(stress),
      alphaScore: scores.get(stress.cik) ?? null,
      facilities: facilitiesOf(stress),
      capital: capitalOf(result),
      figures: figuresOf(figures),
    };
  });
}

type Row = Record<string, unknown>;

/** Capital structures by CIK; a release of an older program or of a past date has none. */
async function readCapitals(
  release: OpenRelease,
  { slice, ciks }: { slice: string; ciks: readonly string[] },
): Promise<ReadonlyMap<string, CapitalStanding>> {
  const standings = new Map<string, CapitalStanding>();
  for (const cik of ciks) {
    const stored = await release.read(capital.stored.object.key({ slice, cik }));
    const row = stored === null ? null : capital.schema.safeParse(parseExact(stored.toString('utf8')));
    if (row?.success === true) standings.set(cik, capitalStanding(row.data));
  }
  return standings;
}

function capitalOf({ issuer, stress, capital: { capital: day } }: IssuerResult): CapitalStanding | null {
  if (day === null) return null;
  const { debt_coverage_status: debtCoverage, computed_at_utc: computedAt = '' } = stress;
  return capitalStanding(capitalRow(day, { issuer, debtCoverage, computedAt }));
}

function figuresOf(row: Row): SliceStanding['figures'] {
  const entries = trackedFigures.map((name) => {
    const value = row[name];
    // a lower bound is not the debt or the coins of an issuer
    if (name === 'total_long_term_debt' && lacks(row, 'debt')) return [name, null];
    if (name === 'total_crypto_fair_value' && lacks(row, 'crypto')) return [name, null];
    return [name, exactOf(value)];
  });
  return Object.fromEntries(entries) as SliceStanding['figures'];
}

/** Its loans; a release of an older program has none. */
function facilitiesOf(row: Row): FacilityStanding[] {
  const facilities = Array.isArray(row['facilities']) ? (row['facilities'] as Row[]) : [];
  return facilities.map((facility) => ({
    id: text(facility, 'facility_id'),
    name: text(facility, 'name'),
    asOf: text(facility, 'as_of'),
    asset: typeof facility['collateral_asset'] === 'string' ? facility['collateral_asset'] : null,
    isSubsequent: facility['is_subsequent'] === true,
    figures: Object.fromEntries(
      facilityFigures.map((name) => [name, exactOf(facility[name])]),
    ) as FacilityStanding['figures'],
  }));
}

function exactOf(value: unknown): ExactDecimal | null {
  if (value instanceof ExactDecimal) return value;
  return typeof value === 'number' ? ExactDecimal.fromNumber(value) : null;
}

/** Model and classification of a row: with another of them the same filing may read otherwise (M13.2). */
function methodOf(row: Row): string {
  return [text(row, 'core_model'), text(row, 'classification_version')]
    .filter((part) => part !== '')
    .join(' ');
}

/** The ratio where stress is present (M3.3): neither the cap of an issuer without coins nor one on unproven figures. */
function stressOf(row: Row): number | null {
  const coins = Number(String(row['total_crypto_fair_value']));
  const isProven = !lacks(row, 'debt') && !lacks(row, 'crypto');
  return coins > 0 && isProven ? Number(String(row['stress_50pct'])) : null;
}

function lacks(row: Row, side: 'debt' | 'crypto'): boolean {
  const basis = row['figures_basis'];
  if (basis === `${side}_unproven` || basis === 'both_unproven') return true;
  return side === 'debt' && row['debt_coverage_status'] === 'low_confidence_missing_debt';
}

async function readScores(release: OpenRelease, key: string): Promise<Map<string, number>> {
  const rows = await readRowsOf(release, key);
  return new Map(rows.map((row) => [text(row, 'cik'), Number(String(row['alpha_score']))]));
}

function text(row: Row, member: string): string {
  const value = row[member];
  return typeof value === 'string' ? value : '';
}
