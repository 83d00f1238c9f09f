import type { Shadow } from './readShadow.ts';

const mostLines = 20;

/** What a reading of current reports gave, for an operator. */
export function shadowText(shadow: Shadow): string {
  const { reports, refused_reports: refusedReports, documents, issuers, changes } = shadow;
  const unread = issuers.flatMap(({ ticker, cik, unread: of }) =>
    of.map((line) => `${ticker ?? cik} ${line}`),
  );
  const moves =
    changes === null
      ? []
      : [
          ...changes.appeared.map((line) => `appears   ${line}`),
          ...changes.vanished.map((line) => `vanishes  ${line}`),
          ...changes.moved.map((line) => `moves to  ${line}`),
        ];
  return [
    `${reports} reports read, ${refusedReports.length} refused; nothing is published`,
    ...section('documents', counts(documents)),
    ...section('statements', counts(shadow.statements)),
    ...section('refused', counts(shadow.refused)),
    ...section('links between stocks', counts(shadow.links)),
    ...section(
      'issuers',
      issuers.map(
        ({ ticker, cik, reports: n, statements, refused, unread: of }) =>
          `${(ticker ?? cik).padEnd(10)} ${n} reports, ${statements} statements, ${refused} refused, ${of.length} unread`,
      ),
    ),
    ...section('unread', unread),
    ...section(
      'reports refused',
      refusedReports.map(({ name, reason }) => `${name}: ${reason}`),
    ),
    ...(changes === null
      ? ['', 'no warehouse to compare with']
      : section('beside the last night', moves.length === 0 ? ['every statement the same'] : moves)),
    '',
  ].join('\n');
}

function counts(of: Readonly<Record<string, number>>): string[] {
  return Object.entries(of).map(([name, count]) => `${String(count).padStart(6)} ${name}`);
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > mostLines ? [`  … and ${lines.length - mostLines} more (--json has all)`] : [];
  return ['', title, ...lines.slice(0, mostLines).map((line) => `  ${line}`), ...more];
}
