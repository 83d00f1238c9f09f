import type { FigureTable } from '../chart/chart.ts';
import type { Report } from './report.ts';

/**
 * A report as plain text for copying: no markup, a blank line between parts, tables as lines of `column: value`. Tables
 * are left out from the last one on where the text would be longer than `longest`.
 */
export function plainText(report: Report, longest: number): string {
  for (let tables = report.cards.length; tables >= 0; tables--) {
    const text = written(report, tables);
    if (text.length <= longest) return text;
  }
  return `${report.title}\n\n${report.headline}\n\n${report.disclaimer}`;
}

function written(report: Report, tables: number): string {
  const { title, publishedAt, headline, lede, keyFigures, cards, terms, boundary, caveats } = report;
  const list = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [[heading, ...lines.map((line) => `- ${line}`)].join('\n')];
  return [
    `${title}, published ${publishedAt}`,
    headline,
    lede,
    keyFigures
      .map(({ label, value, note }) => `${label}: ${value}${note === null ? '' : ` (${note})`}`)
      .join('\n'),
    ...cards.map(({ heading, paragraphs, table }, i) =>
      [heading, ...paragraphs, ...(table === null || i >= tables ? [] : tableLines(table))].join('\n'),
    ),
    ...list(
      'Terms',
      terms.map(({ term, explanation }) => `${term}: ${explanation}`),
    ),
    ...list('What the evidence covers', boundary),
    ...list('Caveats', caveats),
    report.disclaimer,
  ].join('\n\n');
}

/** The caption first: units and dates stand there. */
function tableLines({ caption, columns, rows }: FigureTable): string[] {
  const lines = rows.map(([first = '', ...rest]) =>
    [first, ...rest.map((cell, i) => `${columns[i + 1]?.label ?? ''} ${cell}`)].join('; '),
  );
  return [`${caption}:`, ...lines];
}
