import type { BriefStyle } from '../../data/contract/values/enums.ts';
import { type BriefLine, behind, core, leading, more, must, when } from './briefLines.ts';
import { countedText, moveText, ratioText, usdText } from './figureText.ts';
import type { BoardRow } from './morningEvidence.ts';
import { codeWords } from './plainText.ts';
import { filingText, headroomWords, ofItsCoins } from './sharedSentences.ts';
import type { StressRow } from './sliceEvidence.ts';

/** Rows that stand on a line of their own, by style; the rest is reported in sentences of a few rows each. */
const ownLines = { concise: 0, professional: 5, trader: 5, detailed: 10 } as const;
const rowsOfSentence = 5;

/** The stress ranking: who leads (not in the concise style), what moved most, then all rows in their order. */
export function stressLines(
  rows: readonly StressRow[],
  { style, reference }: { style: BriefStyle; reference: number },
): BriefLine[] {
  const [first] = rows;
  if (first === undefined)
    return [core('No issuer has proven figures and coins that matter to it, so none is ranked.')];
  return [
    ...when(style !== 'concise', must(leaderSentence(first, { second: rows[1], reference }))),
    ...moverLines(rows, style),
    ...rankedLines(rows, {
      style,
      rankOf: ({ rank }) => rank,
      line: (row) => stressRowText(row, style),
      short: (row) =>
        `${row.ticker} ${ratioText(sortValue(row))}${rows.length > 10 ? '' : ` (${tierOf(row)})`}`,
    }),
  ];
}

/** Rows in rank order: some on lines of their own, the rest in sentences that name the ranks they hold (I2.44). */
function rankedLines<Row>(
  rows: readonly Row[],
  {
    style,
    rankOf,
    line,
    short,
  }: {
    style: BriefStyle;
    rankOf: (row: Row) => number;
    line: (row: Row) => string;
    short: (row: Row) => string;
  },
): BriefLine[] {
  const own = rows.slice(0, ownLines[style]);
  const rest = rows.slice(own.length);
  const sentences = Array.from({ length: Math.ceil(rest.length / rowsOfSentence) }, (_, i) =>
    rest.slice(i * rowsOfSentence, (i + 1) * rowsOfSentence),
  );
  const lines = [
    ...own.map((row) => core(`${rankOf(row)}. ${line(row)}`)),
    ...sentences.map((part, i) => {
      const text = `${ranksText(part.map(rankOf))}: ${part.map(short).join('; ')}.`;
      // a ranking without its first rows says nothing
      return own.length === 0 && i === 0 ? must(text) : core(text);
    }),
  ];
  return lines.map((one, i) => (i === 0 ? one : behind(one)));
}

function ranksText(ranks: readonly number[]): string {
  const [first, last] = [ranks[0] ?? 1, ranks.at(-1) ?? 1];
  return first === last ? `Rank ${first}` : `Ranks ${first} to ${last}`;
}

const sortValue = (row: StressRow) => row.live_stress_50pct ?? row.stress_50pct;
const tierOf = (row: StressRow) => row.live_risk_tier ?? row.risk_tier;
const headroomOf = (row: StressRow) =>
  row.live_stress_50pct === null ? row.covenant_headroom_50pct : (row.live_covenant_headroom_50pct ?? null);

function leaderSentence(
  row: StressRow,
  { second, reference }: { second: StressRow | undefined; reference: number },
): string {
  const basis = row.live_stress_50pct === null ? 'as filed' : 'at live closes';
  const filed = row.live_stress_50pct === null ? '' : `; as filed ${ratioText(row.stress_50pct)}`;
  const headroom = headroomOf(row);
  const against =
    headroom === null
      ? ''
      : `, ${headroomWords(headroom, `the reference covenant of ${ratioText(reference)}`)}`;
  const isLevel = second !== undefined && sortValue(second) === sortValue(row);
  const place =
    second === undefined
      ? 'is the only ranked issuer'
      : `is the most stressed${isLevel ? `, level with ${second.ticker}` : ''}`;
  return `${row.ticker} ${place}: after a 50 % fall its debt is ${ofItsCoins(sortValue(row))} ${basis}${against}${filed}.`;
}

/** The row whose live reading moved most over the week, or over the day where no week is known. */
function moverLines(rows: readonly StressRow[], style: BriefStyle): BriefLine[] {
  const moved = (row: StressRow) => Math.abs(row.live_stress_delta_7d ?? row.live_stress_delta_24h ?? 0);
  const most = rows.reduce((a, b) => (moved(b) > moved(a) ? b : a));
  // a move that no decimal shows is none to lead with
  if (moved(most) < 0.005) return [];
  const words = moveText({ week: most.live_stress_delta_7d, day: most.live_stress_delta_24h }) ?? '';
  const text = `${rows.length === 1 ? '' : 'Largest move here: '}${most.ticker} ${words}, by price alone.`;
  return [leading(style === 'concise' ? more(text) : core(text))];
}

function stressRowText(row: StressRow, style: BriefStyle): string {
  const value = `${row.ticker} ${ratioText(sortValue(row))}, ${tierOf(row)}`;
  const short = `${value}${filedWords(row)}`;
  const { old_filing_days: days } = row;
  if (style !== 'detailed')
    return days === null ? short : `${short}, by a balance sheet ${countedText(days, 'day')} old`;
  const room = headroomOf(row);
  const headroom = room === null ? '' : `; ${headroomWords(room, 'the covenant')}`;
  const debt = row.total_long_term_debt === null ? '' : `; debt ${usdText(row.total_long_term_debt)}`;
  const coins = row.live_total_crypto_fair_value ?? row.total_crypto_fair_value;
  const against = coins === null ? '' : ` against coins of ${usdText(coins)}`;
  return `${short}${headroom}${debt}${against}; ${filingText(row)}`;
}

function filedWords(row: StressRow): string {
  if (row.live_stress_50pct === null) return ' (as filed)';
  const [live, filed] = [ratioText(row.live_stress_50pct), ratioText(row.stress_50pct)];
  const tier = row.live_risk_tier === row.risk_tier ? '' : `, ${row.risk_tier}`;
  return live === filed && tier === '' ? '' : ` (filed: ${filed}${tier})`;
}

/** The opportunity board in its order. */
export function alphaLines(rows: readonly BoardRow[], style: BriefStyle): BriefLine[] {
  if (rows.length === 0) return [core('No issuer passes the gates of the board.')];
  return rankedLines(rows, {
    style,
    rankOf: (row) => row.board_rank,
    line: (row) => alphaRowText(row, style),
    short: (row) => `${row.ticker} ${row.alpha_score}`,
  });
}

function alphaRowText(row: BoardRow, style: BriefStyle): string {
  const tier = row.risk_tier === null ? '' : `, filed ${row.risk_tier}`;
  const treasury = style === 'detailed' ? `, ${row.treasury_strength} treasury` : '';
  return `${row.ticker} ${row.alpha_score}${tier}, ${codeWords(row.research_posture)}${treasury}`;
}
