import type { FigureDoubt, FiguresToCheck } from '../../data/contract/payloads/audit/figuresToCheck.ts';
import { printable } from '../../data/contract/values/printable.ts';

const width = 80;
const reaches: Readonly<Record<FigureDoubt['reach'], string>> = {
  another_tier: 'Could give another tier',
  unknown: 'Effect not known: no other amount is at hand',
  same_tier: 'Moves the ratio inside its tier',
  no_tier: 'Rows that have no tier by right',
};

/** The figures to check for a terminal, 80 columns wide; each with the command that shows what is behind it. */
export function figuresText(figures: FiguresToCheck, { flag }: { readonly flag: string }): string {
  const { doubts, row_count: rows, compared_count: compared } = figures;
  const head = [`Figures of ${figures.release} to check first: ${doubts.length} in ${rows} rows.`];
  const basis = wrapped(
    `${compared} of the rows are held against an earlier filing; for the others none is in the warehouse.`,
    '',
  );
  if (doubts.length === 0) {
    const calm = wrapped('Nothing is odd: no note, check or comparison questions a figure.', '');
    return `${[...head, ...calm, ...basis].join('\n')}\n`;
  }
  const groups = Map.groupBy(
    doubts.map((doubt, i) => ({ doubt, place: i + 1 })),
    ({ doubt }) => doubt.reach,
  );
  const body = [...groups].flatMap(([reach, members]) => [
    '',
    reaches[reach],
    ...members.flatMap(({ doubt, place }) => entry(doubt, place, flag)),
  ]);
  return `${[...head, ...basis, ...body].join('\n')}\n`;
}

function entry(doubt: FigureDoubt, place: number, flag: string): string[] {
  const { ticker, figure, kind, period, finding, explain, also_concerns: others = [] } = doubt;
  const also = others.length === 0 ? '' : `; also of ${others.join(', ')}`;
  return [
    `${String(place).padStart(3)}  ${ticker.padEnd(10)} ${figure.padEnd(6)} ${period}  ${movement(doubt)}`,
    ...wrapped(`${finding}${also} (${kind})`, '     '),
    `     ${explain}${flag}`,
  ].map(printable);
}

function movement(doubt: FigureDoubt): string {
  const { risk_tier: tier, stress_50pct: ratio, other_band: otherBand, other_stress_50pct: other } = doubt;
  const now = `${tier} ${ratio}`;
  return other === null || otherBand === null ? now : `${now} → ${otherBand} ${other}`;
}

/** Words in lines of the width; a word that is longer than a line is cut. */
function wrapped(text: string, indent: string): string[] {
  const room = width - indent.length;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((word) => pieces(word, room))) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((text) => `${indent}${text}`);
}

function pieces(word: string, room: number): string[] {
  return word.match(new RegExp(`.{1,${room}}`, 'gu')) ?? [word];
}
