import { existsSync } from 'node:fs';
import { openForReading } from '../../warehouse/build/openDatabase.ts';
import { readRows } from '../../warehouse/build/readRows.ts';

/** Registrants outside the universe that report coins. */
export type Candidates = {
  readonly count: number;
  /** Those with the largest amounts. */
  readonly first: readonly Candidate[];
};

export type Candidate = {
  readonly name: string;
  readonly ticker: string | null;
  readonly amount: number | null;
  readonly share: number | null;
  readonly form: string;
  readonly filed: string;
};

const shown = 3;

/** Reads view `candidates` of the warehouse; null without a warehouse. */
export async function readCandidates(path: string): Promise<Candidates | null> {
  if (!existsSync(path)) return null;
  const { connection, close } = await openForReading(path);
  try {
    const rows = await readRows(
      connection,
      `SELECT entity_name AS name, tickers[1] AS ticker, amount, share_of_assets AS share, form, filed::VARCHAR AS filed,
        count(*) OVER ()::INTEGER AS n
      FROM main.candidates LIMIT ${shown}`,
    );
    const first = rows.map(({ n: _, ...row }) => row as Candidate);
    return { count: Number(rows[0]?.['n'] ?? 0), first };
  } finally {
    close();
  }
}

/** The line of the summary, one text a row. */
export function candidateWords({ count, first }: Candidates): readonly string[] {
  if (count === 0) return ['no registrant outside the universe reports coins in its newest filing'];
  const one = count === 1 ? 'registrant' : 'registrants';
  return [
    `${count.toLocaleString('en')} ${one} outside the universe ${count === 1 ? 'reports' : 'report'} coins (issuer query "from candidates")`,
    ...first.map(words),
  ];
}

function words({ name, ticker, amount, share, form, filed }: Candidate): string {
  const coins = amount === null ? 'no amount' : `${(amount / 1e6).toFixed(1)} M USD`;
  const of = share === null ? '' : `, ${(share * 100).toFixed(1)} % of assets`;
  return `${ticker ?? name}: ${coins}${of}, ${form} filed ${filed}`;
}
