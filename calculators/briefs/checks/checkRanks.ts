import type { BriefViolation, Checked } from './briefText.ts';

type Ranked = readonly { readonly rank: number; readonly ticker: string }[];

/** Rows stand in the order of the evidence, each with its rank, and who is called the first is the first (I2.44). */
export function checkRanks({ brief, evidence }: Checked): BriefViolation[] {
  if (evidence.brief === 'covenant') return [];
  const stressed = evidence.top_stressed.map(({ rank, ticker }) => ({ rank, ticker }));
  if (evidence.brief === 'top_stressed') return inSection(brief.sections.get('Stress Ranking'), stressed);
  const board = evidence.alpha_board.map(({ board_rank: rank, ticker }) => ({ rank, ticker }));
  return [
    ...inSection(brief.sections.get('Most Stressed Issuers'), stressed),
    ...inSection(brief.sections.get('Alpha Opportunity Board'), board),
  ];
}

function inSection(lines: readonly string[] = [], rows: Ranked): BriefViolation[] {
  const byRank = new Map(rows.map(({ rank, ticker }) => [rank, ticker]));
  const byTicker = new Map(rows.map(({ rank, ticker }) => [ticker, rank]));
  const told: { rank: number; ticker: string }[] = [];
  const violations: BriefViolation[] = [];
  const wrong = (message: string) => violations.push({ rule: 'g', message });
  for (const line of lines) {
    const [, ordinal, after] = /^(\d+)\. (.*)$/.exec(line) ?? [];
    const item = after ?? /^[-*+] (.*)$/.exec(line)?.[1];
    const ticker = item === undefined ? undefined : wordsOf(item).find((word) => byTicker.has(word));
    if (ordinal !== undefined && byRank.get(Number(ordinal)) !== ticker)
      wrong(`rank ${ordinal} is not ${ticker ?? 'known'}`);
    if (ticker !== undefined) told.push({ ticker, rank: byTicker.get(ticker) ?? 0 });
    for (const [, first, last, list = ''] of line.matchAll(/Ranks? (\d+)(?: to (\d+))?: (.*?)\.(?=\s|$)/g)) {
      const names = list.split('; ').map((part) => part.split(' ')[0] ?? '');
      const from = Number(first);
      if (from + names.length - 1 !== Number(last ?? first))
        wrong(`ranks ${first} to ${last} are not ${names.length}`);
      names.forEach((name, i) => {
        if (byRank.get(from + i) !== name) wrong(`rank ${from + i} is not ${name}`);
        told.push({ ticker: name, rank: from + i });
      });
    }
    for (const sentence of line.split(/(?<=[.;]) /)) {
      const [found] = /\b(?:most stressed|highest|leads|tops|first place)\b/.exec(sentence) ?? [];
      const names = wordsOf(sentence).filter((word) => byTicker.has(word));
      if (found !== undefined && names.length > 0 && !names.includes(rows[0]?.ticker ?? ''))
        wrong(`${names[0]} is not the first`);
    }
  }
  told.forEach(({ rank, ticker }, i) => {
    const before = told[i - 1];
    if (before !== undefined && before.rank > rank) wrong(`${ticker} stands below ${before.ticker}`);
  });
  return violations;
}

const wordsOf = (text: string) => text.match(/[A-Z0-9][A-Z0-9.-]*(?<![.-])/g) ?? [];
