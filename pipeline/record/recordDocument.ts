import { type RecordVerdict, recordVerdicts } from '../../calculators/record/recordedFigure.ts';
import { accessionText } from '../../data/contract/values/filingUrl.ts';
import { markdownTable } from '../modelCard/modelCard.ts';
import { openWarehouse } from '../warehouse/build/openWarehouse.ts';
import { readRows } from '../warehouse/build/readRows.ts';

/** A row of view `record` as it is printed; amounts are filed digits. */
export type RecordLine = {
  readonly ticker: string;
  readonly issuerClass: string;
  readonly period: string;
  readonly figure: string;
  readonly verdict: RecordVerdict;
  readonly finding: string;
  readonly amount: string;
  readonly laterAmount: string | null;
  readonly published: string;
  readonly later: string;
};

/** What the record says of the newest method version, up to a day. */
export type PublishedRecord = {
  readonly method: string | null;
  /** The newest slice of the warehouse. */
  readonly sourceDate: string | null;
  /** Balance sheets published with debt or coins proven, compared or not. */
  readonly published: number;
  readonly lines: readonly RecordLine[];
};

/** Reads view `record` for `issuer record`. @throws IssuerError `input_missing` without a warehouse. */
export async function readRecord(databasePath: string): Promise<PublishedRecord> {
  const { connection, close } = await openWarehouse(databasePath);
  try {
    const [newest] = await readRows<{ method: string; source_date: string }>(
      connection,
      `SELECT method_version AS method, max(source_date) OVER ()::VARCHAR AS source_date FROM stress
      ORDER BY internal.method_order(method_version) DESC LIMIT 1`,
    );
    const method = newest?.method ?? null;
    const [counted] = await readRows<{ n: number }>(
      connection,
      `SELECT count(DISTINCT (cik, accession))::INTEGER AS n FROM stress
      WHERE method_version = $method AND figures_basis <> 'both_unproven'`,
      { method: method ?? '' },
    );
    const rows = await readRows<StoredLine>(
      connection,
      `SELECT ticker, coalesce(issuer_class, 'no longer in the universe') AS "issuerClass", period::VARCHAR AS period, figure,
        verdict, finding, ${digits('amount')} AS amount, ${digits('later_amount')} AS "laterAmount", accession, later_form,
        later_accession, later_known_on::VARCHAR AS known_on
      FROM record WHERE method_version = $method ORDER BY ticker, period, accession, figure`,
      { method: method ?? '' },
    );
    const sourceDate = newest?.source_date ?? null;
    return { method, sourceDate, published: counted?.n ?? 0, lines: rows.map(recordLine) };
  } finally {
    close();
  }
}

/** Without the zeros of the column's scale. */
const digits = (column: string) => `rtrim(rtrim(${column}::VARCHAR, '0'), '.')`;

type Filings = 'accession' | 'later_form' | 'later_accession' | 'known_on';
type StoredLine = Omit<RecordLine, 'published' | 'later'> & { readonly [filing in Filings]: string };

function recordLine({ accession, later_form, later_accession, known_on, ...row }: StoredLine): RecordLine {
  return {
    ...row,
    published: accessionText(accession),
    later: `${later_form} known on ${known_on}, ${accessionText(later_accession)}`,
  };
}

/** The record as a document: what it can say, counts by class of filer, what was not confirmed, every row. */
export function recordDocument(record: PublishedRecord): string {
  const { lines, method, sourceDate, published } = record;
  const sheets = (rows: readonly RecordLine[]) =>
    new Set(rows.map((line) => `${line.ticker} ${line.period} ${line.published}`)).size;
  const contradicted = lines.filter(({ verdict }) => verdict === 'contradicted');
  return [
    '# The record',
    'What was published as proven, beside what the next filing of the same issuer shows for the same date (M12.18 of the methodology). `issuer record` prints this document from the warehouse at hand.',
    method === null
      ? 'The warehouse has no row yet.'
      : `Slices up to ${sourceDate}, parameters ${method}: ${published} balance sheets with debt or coins proven, of which a later filing shows ${sheets(lines)} again, ${lines.length} figures.`,
    '## What it says',
    [
      '* **confirmed**: no fact behind the figure changed, and the comparatives, read by the same rules in the later filing, add up to the same amount. That the concepts were the right ones it does **not** say: one program read both filings.',
      `* Coins valued as units × close are confirmed by a value filed later within 10 % of it (M2.9), not to the dollar: ${lines.filter(isWithinCheck).length} of the ${lines.filter(({ verdict }) => verdict === 'confirmed').length} confirmed figures are such.`,
      '* **restated**: the filer gives a fact behind the figure another value, or the whole balance sheet another total.',
      '* **contradicted**: the filer changed nothing and the comparatives prove another amount. Ours was wrong; `issuer doctor --figures` lists each.',
      '* **open**: the comparatives prove no amount, so nothing can be said.',
      '* A balance sheet inside a fiscal year is hardly ever shown again, so most rows are year ends.',
    ].join('\n'),
    '## Counts by class of filer',
    countTable(lines),
    '## Contradicted',
    contradicted.length === 0 ? 'None.' : findingTable(contradicted),
    '## Restated and open',
    findingTable(lines.filter(({ verdict }) => verdict === 'restated' || verdict === 'open')),
    '## Figures',
    markdownTable(
      ['issuer', 'period', 'figure', 'published', 'comparatives', 'verdict', 'filing', 'later filing'],
      lines.map((line) => [
        ...[line.ticker, line.period, line.figure, line.amount, line.laterAmount ?? '–', line.verdict],
        ...[line.published, line.later],
      ]),
    ),
    '',
  ].join('\n\n');
}

/** Confirmed by the price check, and not by the same amount. */
const isWithinCheck = ({ verdict, finding }: RecordLine) =>
  verdict === 'confirmed' && finding.startsWith('units × close');

function countTable(lines: readonly RecordLine[]): string {
  const row = (name: string, of: readonly RecordLine[]) => [
    name,
    ...recordVerdicts.map((verdict) => String(of.filter((line) => line.verdict === verdict).length)),
    String(of.length),
  ];
  const classes = [...Map.groupBy(lines, ({ issuerClass }) => issuerClass)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const figures = ['debt', 'coins'].map((figure) =>
    row(
      figure,
      lines.filter((line) => line.figure === figure),
    ),
  );
  return markdownTable(
    ['class', ...recordVerdicts, 'all'],
    [...classes.map(([name, of]) => row(name, of)), ...figures, row('all', lines)],
  );
}

function findingTable(lines: readonly RecordLine[]): string {
  if (lines.length === 0) return 'None.';
  return markdownTable(
    ['issuer', 'period', 'figure', 'verdict', 'what was found'],
    lines.map((line) => [line.ticker, line.period, line.figure, line.verdict, line.finding]),
  );
}
