import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { isCivilDate } from '../../data/contract/values/primitives.ts';
import { utcOfEastern } from './easternTime.ts';

/** What the head of a complete submission text says of its filing. */
export type SubmissionHeader = {
  readonly form: string;
  readonly filed: string;
  /** null when it names no period or one that is no day. */
  readonly period: string | null;
  /** Instant of acceptance, UTC, `YYYY-MM-DD HH:MM:SS`; null when the head states none that is one (M1.44d). */
  readonly acceptedAt: string | null;
};

const headBytes = 16 * 1024;

/**
 * Reads the SEC header of `<accession>.txt`, plain or `.gz`, in a filing's folder: how a filing is known that no
 * list has. Returns null when there is none, it cannot be read, or it is of another filing.
 */
export async function submissionHeader({
  folder,
  accession,
}: {
  readonly folder: string;
  readonly accession: string;
}): Promise<SubmissionHeader | null> {
  for (const ending of ['.txt', '.txt.gz']) {
    const text = await headOf(join(folder, `${accession}${ending}`)).catch(() => null);
    if (text !== null) return parseSubmissionHeader(text, accession);
  }
  return null;
}

/** Reads the header's lines `NAME: value`; see {@link submissionHeader}. */
export function parseSubmissionHeader(text: string, accession: string): SubmissionHeader | null {
  const [header = ''] = text.split('</SEC-HEADER>');
  const line = (name: string) =>
    new RegExp(`^${name}:[ \\t]*([^\\s]{1,32})[ \\t]*$`, 'm').exec(header)?.[1] ?? null;
  const form = line('CONFORMED SUBMISSION TYPE');
  const filed = day(line('FILED AS OF DATE'));
  if (line('ACCESSION NUMBER') !== accession || form === null || filed === null) return null;
  const stated = /^<ACCEPTANCE-DATETIME>(\d{14})[ \t]*$/m.exec(header)?.[1];
  return {
    form,
    filed,
    period: day(line('CONFORMED PERIOD OF REPORT')),
    acceptedAt: stated === undefined ? null : acceptance(stated),
  };
}

/** EDGAR states New York time there. */
function acceptance(digits: string): string | null {
  const [, date = '', time = ''] = /^(\d{8})((?:[01]\d|2[0-3])[0-5]\d[0-5]\d)$/.exec(digits) ?? [];
  const on = day(date);
  return on === null ? null : utcOfEastern(`${on} ${time.replace(/(..)(..)(..)/, '$1:$2:$3')}`);
}

function day(digits: string | null): string | null {
  const text = digits?.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3') ?? '';
  return isCivilDate(text) ? text : null;
}

async function headOf(path: string): Promise<string> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const bytes = buffer.subarray(0, bytesRead);
    return (path.endsWith('.gz') ? await inflatedHead(bytes) : bytes).toString('latin1');
  } finally {
    await handle.close();
  }
}

/** The first bytes that a cut piece of gzip data unpacks to. */
function inflatedHead(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const gunzip = createGunzip({ chunkSize: headBytes });
    const done = () => {
      gunzip.destroy();
      resolve(Buffer.concat(chunks).subarray(0, headBytes));
    };
    gunzip.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= headBytes) done();
    });
    gunzip.on('end', done);
    // a cut stream ends in an error; what came before it is the head
    gunzip.on('error', (error) => (size > 0 ? done() : reject(error)));
    gunzip.end(bytes);
  });
}
