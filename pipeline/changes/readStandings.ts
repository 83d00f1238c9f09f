import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SliceStanding, trackedFigures } from '../../calculators/changes/sliceMoves.ts';
import type { IssuerResult } from '../../calculators/composeSlice.ts';
import type { RiskTier } from '../../contract/enums.ts';
import { ExactDecimal } from '../../contract/exactDecimal.ts';
import { rowStoreIndex } from '../../contract/releaseFiles.ts';
import { parseExact } from '../exactJson.ts';
import { newestNight, parsedFile, type ReleasePaths } from '../release/releaseStore.ts';

/** The slice of the night before, as far as it is compared with the next. */
export type PreviousSlice = {
  readonly sourceDate: string;
  readonly standings: readonly SliceStanding[];
};

/**
 * Reads the newest slice of a history that a night published; null when there is none. A backfilled one was nobody's
 * last night: what moved since is told from the same night on as the facts that changed (M6.4).
 */
export async function readPreviousSlice(o: {
  paths: ReleasePaths;
  history: readonly { sourceDate: string; release: string }[];
}): Promise<PreviousSlice | null> {
  const last = await newestNight(o.paths, o.history);
  if (last === null) return null;
  const standings = await readStandings(join(o.paths.releases, last.release), last.sourceDate);
  return { sourceDate: last.sourceDate, standings };
}

async function readStandings(directory: string, date: string): Promise<SliceStanding[]> {
  const scores = await readScores(join(directory, `alpha-board/${date}.index.json`));
  const lines = await readLines(join(directory, `covenant-slice/${date}.ndjson`));
  const standings: SliceStanding[] = [];
  for (const row of lines) {
    const cik = text(row, 'cik');
    const path = join(directory, `fundamentals/${date}/CIK${cik}.json`);
    const filed = existsSync(path) ? (parseExact(await readFile(path, 'utf8')) as Row) : {};
    const figures = { ...row, ...(filed['fundamentals'] as Row | undefined) };
    standings.push({
      cik,
      ticker: text(row, 'ticker'),
      entityName: text(row, 'entity_name') || text(row, 'ticker'),
      accession: text(row, 'accession_number'),
      period: text(row, 'period'),
      filingForm: text(row, 'filing_form'),
      riskTier: text(row, 'risk_tier') as RiskTier,
      stress50: stressOf(row),
      alphaScore: scores.get(cik) ?? null,
      figures: figuresOf(figures),
    });
  }
  return standings;
}

/** The standings of the slice that is being computed. */
export function standingsOf(
  results: readonly IssuerResult[],
  scores: ReadonlyMap<string, number>,
): SliceStanding[] {
  return results.map(({ stress, fundamentals }) => {
    const figures: Row = { ...stress, ...fundamentals.fundamentals };
    return {
      cik: stress.cik,
      ticker: stress.ticker,
      entityName: stress.entity_name ?? stress.ticker,
      accession: stress.accession_number ?? '',
      period: stress.period ?? '',
      filingForm: stress.filing_form ?? '',
      riskTier: stress.risk_tier,
      stress50: stressOf(stress),
      alphaScore: scores.get(stress.cik) ?? null,
      figures: figuresOf(figures),
    };
  });
}

type Row = Record<string, unknown>;

function figuresOf(row: Row): SliceStanding['figures'] {
  const entries = trackedFigures.map((name) => {
    const value = row[name];
    // the sum of what was found is not the debt of an issuer whose debt is missing
    if (name === 'total_long_term_debt' && lacksDebt(row)) return [name, null];
    if (value instanceof ExactDecimal) return [name, value];
    return [name, typeof value === 'number' ? ExactDecimal.fromNumber(value) : null];
  });
  return Object.fromEntries(entries) as SliceStanding['figures'];
}

/** The ratio where stress is present (M3.3): neither the cap of an issuer without coins nor one on missing debt. */
function stressOf(row: Row): number | null {
  const coins = Number(String(row['total_crypto_fair_value']));
  return coins > 0 && !lacksDebt(row) ? Number(String(row['stress_50pct'])) : null;
}

function lacksDebt(row: Row): boolean {
  return row['debt_coverage_status'] === 'low_confidence_missing_debt';
}

async function readScores(path: string): Promise<Map<string, number>> {
  if (!existsSync(path)) return new Map();
  const { columns } = await parsedFile(rowStoreIndex, path);
  const scores = columns['alpha_score'] ?? [];
  return new Map((columns['cik'] ?? []).map((cik, i) => [String(cik), Number(scores[i])]));
}

async function readLines(path: string): Promise<Row[]> {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parseExact(line) as Row);
}

function text(row: Row, member: string): string {
  const value = row[member];
  return typeof value === 'string' ? value : '';
}
