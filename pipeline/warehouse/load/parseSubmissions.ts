import { accessionPattern, isCivilDate } from '../../../data/contract/values/primitives.ts';
import { plainName } from '../../../data/contract/values/printable.ts';
import { easternOfUtc, utcOfEastern } from '../../source/easternTime.ts';
import type { Cell } from '../build/insertRows.ts';

/** Rows of one submissions file, in the order of tables `submission_entity` and `submission_filing`. */
export type SubmissionRows = { readonly entity: Cell[] | null; readonly filings: Cell[][] };

/** Says why a submissions file cannot be used. */
export class SubmissionsFault extends Error {
  override readonly name = 'SubmissionsFault';
}

const filingColumns = [
  'accessionNumber',
  'filingDate',
  'reportDate',
  'acceptanceDateTime',
  'form',
  'items',
  'isXBRL',
  'primaryDocument',
] as const;
/** Columns that later or smaller exports may lack; then their values are not known. */
const moreColumns = ['fileNumber', 'primaryDocDescription'] as const;

/**
 * Reads a file `name` of the submissions archive: `CIK##########.json` with the registrant and its recent filings, or a
 * page `CIK##########-submissions-###.json`, which holds columns of filings only.
 *
 * Its rows carry `input`; their acceptance instants are UTC (M1.44d). @throws SubmissionsFault when it is not of that shape or names another registrant.
 */
export function parseSubmissions({
  name,
  input,
  text,
}: {
  readonly name: string;
  readonly input: string;
  readonly text: string;
}): SubmissionRows {
  const cik = /^CIK(\d{10})(-submissions-\d{3})?\.json$/.exec(name)?.[1];
  if (cik === undefined) throw new SubmissionsFault('its name is not CIK##########.json or a page of one');
  const json = asObject(parseJson(text), 'it');
  if (name.includes('-submissions-'))
    return { entity: null, filings: filingRows({ input, cik, columns: json }) };
  const inside = json['cik'];
  if (String(inside).padStart(10, '0') !== cik)
    throw new SubmissionsFault('the cik inside is another than its name');
  const filings = asObject(json['filings'], 'filings');
  const entity = [
    input,
    cik,
    plainName(asText(json['name']) ?? ''),
    asText(json['sic']),
    asText(json['ownerOrg']),
    asText(json['entityType']),
    asText(json['category']),
    texts(json['tickers']),
    texts(json['exchanges']),
  ];
  const columns = asObject(filings['recent'], 'filings.recent');
  return { entity, filings: filingRows({ input, cik, columns }) };
}

function filingRows({
  input,
  cik,
  columns,
}: {
  input: string;
  cik: string;
  columns: Record<string, unknown>;
}): Cell[][] {
  const column = (key: (typeof filingColumns | typeof moreColumns)[number]): readonly unknown[] => {
    const values = columns[key];
    if (!Array.isArray(values)) throw new SubmissionsFault(`the column ${key} is missing`);
    return values;
  };
  const [accessions, filed, reported, accepted, forms, items, xbrl, documents] = filingColumns.map(column);
  const [fileNumbers, descriptions] = moreColumns.map((key) =>
    columns[key] === undefined ? null : column(key),
  );
  const rows = accessions?.length ?? 0;
  for (const key of [...filingColumns, ...moreColumns.filter((more) => columns[more] !== undefined)]) {
    if (column(key).length !== rows) throw new SubmissionsFault(`the column ${key} has another length`);
  }
  const stated = Array.from({ length: rows }, (_, i) => statedInstant(accepted?.[i], i));
  const basis = acceptanceZone(
    stated.flatMap((text, i) => (text === null ? [] : [{ form: asText(forms?.[i]) ?? '', stated: text }])),
  );
  return Array.from({ length: rows }, (_, i) => {
    const accession = asText(accessions?.[i]);
    const form = asText(forms?.[i]);
    const day = asText(filed?.[i]);
    if (accession === null || !accessionPattern.test(accession)) {
      throw new SubmissionsFault(`row ${i} has no accession number`);
    }
    if (form === null || form.length > 40) throw new SubmissionsFault(`row ${i} has no form`);
    if (day === null || !isCivilDate(day)) throw new SubmissionsFault(`row ${i} has no filing date`);
    const period = asText(reported?.[i]);
    const instant = stated[i] ?? null;
    return [
      input,
      cik,
      accession,
      form,
      day,
      instant === null ? null : acceptedAt(instant, basis),
      period !== null && isCivilDate(period) ? period : null,
      asText(items?.[i]),
      xbrl?.[i] === 1,
      asText(documents?.[i]),
      asText(fileNumbers?.[i]),
      asText(descriptions?.[i]),
      instant === null ? null : basis,
    ];
  });
}

/** `YYYY-MM-DD HH:MM:SS` of an acceptance instant as stated, null when there is none. */
function statedInstant(value: unknown, row: number): string | null {
  const text = asText(value);
  if (text === null) return null;
  const m = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d+)?Z$/.exec(text);
  if (m?.[1] === undefined || !isCivilDate(m[1])) {
    throw new SubmissionsFault(`row ${row} has an acceptance instant that is none`);
  }
  return `${m[1]} ${m[2]}:${m[3]}:${m[4]}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SubmissionsFault(`it is not JSON: ${(error as Error).message}`);
  }
}

function asObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SubmissionsFault(`${what} is not an object`);
  }
  return value as Record<string, unknown>;
}

function asText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((v) => typeof v === 'string') : [];
}

/** In which zone acceptance instants were stated, and how that is known (METHODOLOGY M1.44d). */
type AcceptanceBasis = 'header' | 'snapshot_utc' | 'snapshot_eastern' | 'later_reading';

/** One row of a list of submissions, its instant `YYYY-MM-DD HH:MM:SS` as stated. */
type Stated = { readonly form: string; readonly stated: string };

/** Hours in which EDGAR accepts, New York. */
const opening = '06:00:00';
const closing = '22:00:00';
/** What the staff of the SEC puts there, at any hour. */
const staffForms = new Set(['EFFECT', 'QUALIF', 'UPLOAD']);
/** One row of a hundred may lie outside: EDGAR stays open longer on some evenings. */
const rowsPerStray = 100;

/**
 * The zone the instants of one file of the submissions archive are stated in. All are marked `Z`, and copies of the list
 * write New York time all the same.
 *
 * The reading under which the rows lie in the hours in which EDGAR accepts is the zone; where both or neither do, the
 * later reading, which is New York's: nothing is known before it was. Rows that carry a day alone are no evidence.
 */
export function acceptanceZone(rows: readonly Stated[]): Exclude<AcceptanceBasis, 'header'> {
  const clocks = rows.flatMap(({ form, stated }) => {
    if (staffForms.has(form)) return [];
    const [asEastern, asUtc] = [stated.slice(11), easternOfUtc(stated).slice(11)];
    return [asEastern, asUtc].includes('00:00:00') ? [] : [{ asEastern, asUtc }];
  });
  const fits = (reading: 'asEastern' | 'asUtc') => {
    const strays = clocks.filter((clock) => clock[reading] < opening || clock[reading] > closing);
    return strays.length * rowsPerStray <= clocks.length;
  };
  const [isEastern, isUtc] = [fits('asEastern'), fits('asUtc')];
  if (isEastern === isUtc) return 'later_reading';
  return isUtc ? 'snapshot_utc' : 'snapshot_eastern';
}

/** The UTC instant of a stated one. */
export function acceptedAt(stated: string, basis: AcceptanceBasis): string {
  return basis === 'snapshot_utc' ? stated : utcOfEastern(stated);
}
