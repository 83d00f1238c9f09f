import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { grouped } from '../exact/grouped.ts';
import type { TrailCheck, TrailTotal } from '../trail/resolutionTrail.ts';
import type { RaisedDoubt, ReviewedRow } from './reviewedRow.ts';

/** What the failed checks of a row's trail question, beside what its notes say already. */
export function trailDoubts(row: ReviewedRow): RaisedDoubt[] {
  return (row.trail?.ratio.children ?? []).flatMap((total) =>
    total.checks
      .filter(({ result }) => result === 'fail')
      .flatMap((check) => checkDoubt(check, { total, row })),
  );
}

function checkDoubt(
  { check, detail }: TrailCheck,
  { total, row }: { readonly total: TrailTotal; readonly row: ReviewedRow },
): RaisedDoubt[] {
  const figure = total.side === 'debt' ? 'debt' : 'coins';
  switch (check) {
    case 'M1.31-M1.34':
      return [{ figure, kind: 'debt_identity', finding: detail }];
    case 'M1.18b':
      return residual(detail, row);
    case 'M1.37b':
      return row.notes.some((note) => note.startsWith('implied_interest:'))
        ? []
        : [{ figure, kind: 'implied_interest', finding: detail, isProof: true }];
    default:
      // the other rules have notes with their amounts; what remains are totals against their items
      return check.includes(':')
        ? [{ figure, kind: 'calculation_residual', finding: `${check}: ${detail}` }]
        : [];
  }
}

const aboveItems = /^(\S+) of (\S+) is (-?[\d.]+) above its items$/;

/** A total of the liabilities that its items do not add up to; what is above them could be debt (M1.18b). */
function residual(detail: string, row: ReviewedRow): RaisedDoubt[] {
  const [, concept = '', total = '', open = ''] = aboveItems.exec(detail) ?? [];
  const amount = ExactDecimal.tryParse(open);
  const filed = ExactDecimal.tryParse(total);
  // the note of the row has said it
  if (row.notes.includes(`liabilities_residual:${open}`)) return [];
  const raised = { figure: 'debt' as const, kind: 'calculation_residual' };
  if (amount === null || filed === null) return [{ ...raised, finding: detail }];
  const of = `${concept} of ${grouped(filed)}`;
  if (amount.sign <= 0) {
    return [{ ...raised, finding: `the items of ${of} are ${grouped(amount.negated())} more than it` }];
  }
  const finding = `${of} is ${grouped(amount)} above its items`;
  return [{ ...raised, finding, other: { debt: row.debt.plus(amount) } }];
}
