import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { DuckDBConnection } from '@duckdb/node-api';
import { joinFiling } from '../../../calculators/currentReports/joinFiling.ts';
import { readDocument } from '../../../calculators/currentReports/readDocument.ts';
import {
  acceptedInstant,
  isReadReport,
  readSubmission,
  type Submission,
} from '../../../calculators/currentReports/readSubmission.ts';
import type { ReportWords } from '../../../calculators/currentReports/reportWords.ts';
import type {
  DocumentReading,
  RefusedStatement,
  ReportSource,
  Statement,
} from '../../../calculators/currentReports/statement.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { instant } from '../../../data/contract/values/instant.ts';
import type { FilingFolder } from '../../source/filingFolders.ts';
import { type DocumentProvenance, reportFiles } from '../../source/reportFolders.ts';
import { readRows } from '../build/readRows.ts';

/** What the list of submissions says of a current report. */
export type ListedReport = {
  readonly form: string;
  /** Civil date. */
  readonly filed: string;
  /** UTC, ISO; null where the list has none. */
  readonly acceptedAt: string | null;
  readonly items: readonly string[];
  readonly primaryDocument: string | null;
};

/** One document of a report: read, refused whole for a bound, or a picture. */
type ReportDocument = {
  readonly type: string;
  readonly document: string;
  readonly status: 'read' | 'unreadable_exhibit' | `document_refused:${string}`;
};

/** What one current report says. */
export type ReadReport = {
  readonly form: string;
  readonly items: readonly string[];
  readonly filed: string;
  /** UTC instant, ISO; null where nothing states it. */
  readonly acceptedAt: string | null;
  /** The later of the filing date and the UTC day of acceptance (M17.36). */
  readonly knownFrom: string;
  /** False where single documents are stored and exhibits may be missing. */
  readonly isWhole: boolean;
  readonly documents: readonly ReportDocument[];
  readonly statements: readonly Statement[];
  readonly refused: readonly RefusedStatement[];
};

/** The files of a report and what is known of it beside them. */
type StoredReport = FilingFolder & {
  readonly files: readonly StoredFile[];
  readonly listed: ListedReport | null;
  readonly names: readonly string[];
};

type StoredFile = {
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  readonly provenance: DocumentProvenance | null;
};

type Known = Pick<ReadReport, 'form' | 'items' | 'filed' | 'acceptedAt' | 'isWhole'> & {
  readonly names: readonly string[];
  readonly unreadable: readonly { readonly type: string; readonly filename: string }[];
  readonly texts: readonly {
    readonly type: string;
    readonly document: string;
    readonly bytes: Uint8Array;
  }[];
};

const mostBytes = 64 * 1024 * 1024;

/** Lists and hashes the files of a report. */
export async function storedFiles(
  { cik, accession, path }: FilingFolder,
  provenance: ReadonlyMap<string, DocumentProvenance>,
): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const name of await reportFiles(path)) {
    const sha256 = createHash('sha256')
      .update(await boundedBytes(join(path, name), name))
      .digest('hex');
    const source = provenance.get(`${cik}/${accession}/${name}`) ?? null;
    files.push({ name, path: join(path, name), sha256, provenance: source });
  }
  return files;
}

/**
 * Reads a current report from its submission text, else from single documents that are known to be as filed (M17.35).
 *
 * @returns null for a form or items that are not read
 * @throws IssuerError `validation_failed` for files that are not those of the filing, or that nothing proves to be
 */
export async function readReport(report: StoredReport, words: ReportWords): Promise<ReadReport | null> {
  const text = report.files.find(({ name }) => name.replace(/\.gz$/, '') === `${report.accession}.txt`);
  const known = text === undefined ? await knownOfDocuments(report) : await knownOfText(report, text);
  const { form, items, filed, acceptedAt, isWhole, names, unreadable } = known;
  if (!isReadReport({ form, items })) return null;
  const { cik, accession } = report;
  const source: ReportSource = { cik, accession, form, items, filed, acceptedAt: acceptedAt ?? filed };
  const read = known.texts.map(({ type, document, bytes }) => ({
    type,
    document,
    reading: readDocument(bytes, { source, type, document, names, words }),
  }));
  const joined = joinFiling(read.flatMap(({ reading }) => reading.statements));
  const documents = read.map(({ type, document, reading }) => ({
    type,
    document,
    status: statusOf(reading),
  }));
  const acceptedOn = acceptedAt?.slice(0, 10) ?? filed;
  return {
    ...{ form, items, filed, acceptedAt, isWhole },
    knownFrom: acceptedOn > filed ? acceptedOn : filed,
    documents: [
      ...documents,
      ...unreadable.map(({ type, filename }) => ({
        type,
        document: filename,
        status: 'unreadable_exhibit' as const,
      })),
    ],
    statements: joined.statements,
    refused: [...read.flatMap(({ reading }) => reading.refused), ...joined.refused],
  };
}

function statusOf({ bound }: DocumentReading): ReportDocument['status'] {
  return bound === null ? 'read' : `document_refused:${bound}`;
}

async function knownOfText(report: StoredReport, file: StoredFile): Promise<Known> {
  // one character a byte: the encoding of each document is its own
  const text = (await boundedBytes(file.path, file.name)).toString('latin1');
  const submission: Submission = readSubmission(text);
  const header = text.slice(0, Math.max(0, text.indexOf('<DOCUMENT>')));
  const { cik, accession, listed } = report;
  if (submission.accession !== accession) throw foreign(report, `is of accession ${submission.accession}`);
  const filers = [...header.matchAll(/^\s*CENTRAL INDEX KEY:\s{1,40}(\d{1,10})\s*$/gm)].map((match) =>
    (match[1] ?? '').padStart(10, '0'),
  );
  if (!filers.includes(cik)) throw foreign(report, `is of ${filers[0] ?? 'no registrant'}`);
  const stated = [
    ...header.matchAll(/^\s*(?:FORMER )?(?:COMPANY )?CONFORMED NAME:[ \t]{1,40}(\S.{0,150})$/gm),
  ];
  const { form, filed, acceptedAt, documents, unreadable } = submission;
  return {
    ...{ form, filed, unreadable, isWhole: true, items: listed?.items ?? [] },
    acceptedAt: acceptedAt === null ? (listed?.acceptedAt ?? null) : instant(Date.parse(acceptedAt)),
    names: [...new Set([...report.names, ...stated.map((match) => (match[1] ?? '').trim())])],
    texts: documents.map(({ type, filename, text: body }) => ({
      type,
      document: filename,
      bytes: Buffer.from(body, 'latin1'),
    })),
  };
}

/** Main documents alone: the list names the document, or `provenance.csv` says that it is as filed. */
async function knownOfDocuments(report: StoredReport): Promise<Known> {
  const { listed } = report;
  const filed = report.files.filter(
    ({ name, provenance }) =>
      provenance?.tier === 'document' ||
      (provenance === null && listed !== null && name.replace(/\.gz$/, '') === listed.primaryDocument),
  );
  const [first] = filed;
  if (first === undefined) throw foreign(report, 'has no document that is known to be as filed');
  const changed = filed.find(({ provenance, sha256 }) => provenance !== null && provenance.sha256 !== sha256);
  if (changed !== undefined) throw foreign(report, `has a document ${changed.name} of another SHA-256`);
  const { provenance } = first;
  const form = listed?.form ?? provenance?.form ?? '';
  const texts: Known['texts'][number][] = [];
  for (const { name, path } of filed)
    texts.push({
      type: form,
      document: name.replace(/\.gz$/, ''),
      bytes: await boundedBytes(path, name),
    });
  return {
    ...{ form, texts, isWhole: false, unreadable: [] },
    items: listed?.items ?? provenance?.items ?? [],
    filed: listed?.filed ?? provenance?.filed ?? '',
    acceptedAt: listed?.acceptedAt ?? acceptedOf(provenance),
    names: [...new Set([...report.names, ...namesOf(provenance)])],
  };
}

function acceptedOf(provenance: DocumentProvenance | null): string | null {
  const listed = provenance?.accepted ?? null;
  return listed === null ? null : instant(Date.parse(acceptedInstant({ header: null, listed })));
}

/** `Strategy Inc (MicroStrategy)`: the name and the one before it. */
function namesOf(provenance: DocumentProvenance | null): readonly string[] {
  return (provenance?.issuer ?? '')
    .replace(/\)$/, '')
    .split(' (')
    .filter((name) => name !== '');
}

async function boundedBytes(path: string, name: string): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > mostBytes) throw tooLarge(name);
  const bytes = await readFile(path);
  if (!name.endsWith('.gz')) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: mostBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(name);
    throw refused(`The file ${name} is not gzip: ${(error as Error).message}.`);
  }
}

function tooLarge(name: string): IssuerError {
  return refused(`The file ${name} has more than ${mostBytes} bytes.`);
}

function foreign({ cik, accession }: StoredReport, what: string): IssuerError {
  return refused(`What lies under ${cik}/${accession} ${what}.`);
}

function refused(message: string): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message,
    hint: 'Put the submission text of the accession there, or take the folder away.',
  });
}

/** Current reports of the list of submissions, by `<cik>/<accession>`. */
export async function listReports(connection: DuckDBConnection): Promise<ReadonlyMap<string, ListedReport>> {
  const rows = await readRows<ListedReport & { cik: string; accession: string }>(
    connection,
    `SELECT cik, accession, min(form) AS form, list_filter(coalesce(string_split(max(items), ','), []), lambda i: i <> '') AS items,
      max(filed)::VARCHAR AS filed, strftime(max(accepted_at), '%Y-%m-%dT%H:%M:%SZ') AS "acceptedAt",
      max(primary_document) AS "primaryDocument"
    FROM submission_filing WHERE form IN ('8-K', '8-K/A', '6-K', '6-K/A')
    GROUP BY cik, accession`,
  );
  return new Map(rows.map(({ cik, accession, ...listed }) => [`${cik}/${accession}`, listed]));
}
