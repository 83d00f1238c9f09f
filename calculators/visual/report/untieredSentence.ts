import type { CovenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { countText } from '../chart/figures.ts';
import { counted } from './words.ts';

/** Why a row has no tier, first match (M3.10): its words, and whether they hold for the row. */
const reasons: readonly (readonly [words: string, holds: (row: CovenantStress) => boolean])[] = [
  ['with unproven debt or coins', ({ figures_basis: basis = 'resolved' }) => basis !== 'resolved'],
  [
    'without coins',
    (row) => row.treasury_relevance === 'none' || noted(row, 'no_crypto', 'no_crypto_denominator'),
  ],
  ['with incidental coins', (row) => row.treasury_relevance === 'incidental'],
  ['with coins at a cost that proves no tier', (row) => noted(row, 'tier_at_most')],
  ['by type of issuer, quality or age of the filing', () => true],
];

/** How many issuers have no tier, and how many for each reason; null where all have one. */
export function untieredSentence(rows: readonly CovenantStress[], total: number): string | null {
  if (rows.length === 0) return null;
  const groups = Map.groupBy(rows, (row) => reasons.findIndex(([, holds]) => holds(row)));
  const parts = reasons.flatMap(([words], i) => {
    const count = groups.get(i)?.length ?? 0;
    return count === 0 ? [] : [total === 1 ? words : `${countText(count)} ${words}`];
  });
  if (total === 1) return `The one issuer of the slice cannot be classified, ${parts.join(', ')}.`;
  return `${counted(rows.length, 'issuer')} of ${countText(total)} cannot be classified: ${parts.join(', ')}.`;
}

/** Whether the row has a note of one of these kinds, whatever stands after its colon. */
function noted({ data_quality_notes: notes = [] }: CovenantStress, ...kinds: readonly string[]): boolean {
  return notes.some((note) => kinds.includes(note.split(':')[0] ?? ''));
}
