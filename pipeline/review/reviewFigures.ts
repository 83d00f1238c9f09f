import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { figureDoubts } from '../../calculators/review/figureDoubts.ts';
import type {
  ContradictedFigure,
  ReviewedIssuer,
  ReviewedRow,
} from '../../calculators/review/reviewedRow.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type FiguresToCheck, figuresFile } from '../../data/contract/payloads/audit/figuresToCheck.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { figuresBases, riskTiers } from '../../data/contract/values/enums.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import type { DataLayout } from '../dataLayout.ts';
import type { StoreEffects } from '../effects.ts';
import { parseExactJson, trailSchema } from '../explain/trailSchema.ts';
import { readParameters } from '../modelCard/readRegistry.ts';
import { readCurrent, releaseParts } from '../release/releaseStore.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import { readRows } from '../warehouse/build/readRows.ts';

/**
 * The figures of the current release to look at first (M13.11), from the rows and trails the last complete build keeps;
 * no input is read again.
 *
 * @throws IssuerError `input_missing` without a release, a warehouse, or rows of that slice.
 */
export async function reviewFigures(layout: DataLayout): Promise<FiguresToCheck> {
  const release = await readCurrent(layout.artifacts);
  if (release === null) {
    throw new IssuerError({
      code: 'input_missing',
      message: 'No release has been published yet, so there are no figures to check.',
      hint: 'Run `issuer nightly --source fixtures`.',
    });
  }
  const { sourceDate } = releaseParts(release);
  const database = await openWarehouse(layout.database);
  try {
    const issuers = await readReviewedIssuers(database.connection, sourceDate);
    if (issuers.length === 0) throw noRows(release, sourceDate);
    const doubts = figureDoubts(issuers, await readParameters());
    return {
      schema_id: 'figures_to_check.v1',
      source_date: sourceDate,
      release,
      row_count: issuers.length,
      compared_count: issuers.filter(({ earlierFiling }) => earlierFiling !== null).length,
      doubt_count: doubts.length,
      doubts,
    };
  } finally {
    database.close();
  }
}

function noRows(release: string, sourceDate: string): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message: `The warehouse has no rows of ${release}.`,
    hint: `Compute them again: issuer nightly --date ${sourceDate} --from compute --force, with its --source.`,
  });
}

const amount = z.instanceof(ExactDecimal);
const ratio = amount.transform((value) => value.toNumber());
const payload = z.object({
  source_date: z.string(),
  cik: z.string(),
  ticker: z.string(),
  accession_number: z.string(),
  period: z.string(),
  core_model: z.string().default(''),
  classification_version: z.string().default(''),
  total_long_term_debt: amount,
  total_crypto_fair_value: amount,
  stress_50pct: ratio,
  risk_tier: z.enum(riskTiers),
  figures_basis: z.enum(figuresBases).default('resolved'),
  crypto_share_of_assets: ratio.nullable().default(null),
  data_quality_notes: z.array(z.string()).default([]),
});

const columns = 'cik, method_version, payload, resolution_trail::VARCHAR AS trail';

/**
 * The rows of one slice, each with the newest row of an older balance sheet and the row of the slice before it, as the
 * last complete build keeps them; ascending by CIK.
 *
 * @throws ZodError for a row this version cannot read.
 */
async function readReviewedIssuers(
  connection: DuckDBConnection,
  sourceDate: string,
): Promise<ReviewedIssuer[]> {
  const now = await readRows<Row>(
    connection,
    `SELECT ${columns} FROM stress_row WHERE source_date = $day::DATE AND method_version = (
      SELECT method_version FROM stress_row WHERE source_date = $day::DATE ORDER BY internal.method_order(method_version) DESC LIMIT 1)
    ORDER BY cik`,
    { day: sourceDate },
  );
  const earlierFilings = await readRows<Row>(
    connection,
    `SELECT ${columns} FROM (
      SELECT stress_row.*, now.period AS now_period FROM stress_row
      JOIN (SELECT DISTINCT cik, period FROM stress_row WHERE source_date = $day::DATE) AS now USING (cik)
      WHERE stress_row.source_date < $day::DATE)
    WHERE period < now_period
    QUALIFY row_number() OVER (PARTITION BY cik ORDER BY source_date DESC, internal.method_order(method_version) DESC) = 1`,
    { day: sourceDate },
  );
  const nightsBefore = await readRows<Row>(
    connection,
    `SELECT ${columns} FROM stress_row
    WHERE source_date = (SELECT max(source_date) FROM stress_row WHERE source_date < $day::DATE)
    QUALIFY row_number() OVER (PARTITION BY cik ORDER BY internal.method_order(method_version) DESC) = 1`,
    { day: sourceDate },
  );
  const contradictions = await readRows<ContradictedFigure & { cik: string }>(
    connection,
    `SELECT cik, figure, period::VARCHAR AS period, finding FROM record_row
    WHERE verdict = 'contradicted' AND later_known_on <= $day::DATE AND method_version = (
      SELECT method_version FROM stress_row WHERE source_date = $day::DATE ORDER BY internal.method_order(method_version) DESC LIMIT 1)
    ORDER BY cik, period DESC, figure`,
    { day: sourceDate },
  );
  const contradicted = Map.groupBy(contradictions, ({ cik }) => cik);
  const byCik = (rows: readonly Row[]) => new Map(rows.map((row) => [row.cik, reviewedRow(row)]));
  const [filings, nights] = [byCik(earlierFilings), byCik(nightsBefore)];
  return now.map(reviewedRow).map((row) => ({
    now: row,
    earlierFiling: filings.get(row.cik) ?? null,
    nightBefore: nights.get(row.cik) ?? null,
    contradicted: contradicted.get(row.cik) ?? [],
  }));
}

type Row = {
  readonly cik: string;
  readonly method_version: string;
  readonly payload: string;
  readonly trail: string | null;
};

function reviewedRow(row: Row): ReviewedRow {
  const published = payload.parse(parseExactJson(row.payload));
  const trail = row.trail === null ? null : trailSchema.safeParse(parseExactJson(row.trail));
  const versions = [published.core_model, published.classification_version, row.method_version];
  return {
    sourceDate: published.source_date,
    cik: published.cik,
    ticker: published.ticker,
    accession: published.accession_number,
    period: published.period,
    method: versions.filter((version) => version !== '').join(' '),
    debt: published.total_long_term_debt,
    crypto: published.total_crypto_fair_value,
    stress50: published.stress_50pct,
    riskTier: published.risk_tier,
    basis: published.figures_basis,
    share: published.crypto_share_of_assets,
    notes: published.data_quality_notes,
    // a trail of an older program says less; the notes stay
    trail: trail?.success === true ? trail.data : null,
  };
}

/**
 * Leaves the figures of the current release to check first where the audit of that slice takes them from (M13.11), and
 * says how many there are. A list that cannot be made is a warning: the release stands.
 */
export async function keepFigures(layout: DataLayout, { files, log }: StoreEffects): Promise<void> {
  try {
    const figures = await reviewFigures(layout);
    const directory = join(layout.artifacts.root, 'audit');
    await files.makeDirectory(directory);
    await replaceFile({
      files,
      path: join(directory, figuresFile(figures.source_date)),
      bytes: canonicalJson(figures as CanonicalValue),
    });
    const grave = figures.doubts.filter(({ reach }) => reach === 'another_tier').length;
    const message =
      figures.doubt_count === 0
        ? 'no figure is odd'
        : `${figures.doubt_count} figures to check, ${grave} could give another tier: issuer doctor --figures`;
    log({ level: 'info', step: 'audit', message });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log({ level: 'warn', step: 'audit', message: `the figures to check could not be listed: ${reason}` });
  }
}
