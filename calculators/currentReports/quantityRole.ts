import type { CoinQuantity } from './coinQuantities.ts';
import type { DocumentFrame } from './documentFrame.ts';
import type { Paragraph } from './readBlocks.ts';
import type { ReportWords } from './reportWords.ts';

/** What was done with a quantity, or that it is held. */
export type Role = 'purchase' | 'sale' | 'production' | 'holdings' | 'pledge';
export const roles = ['purchase', 'sale', 'production', 'holdings', 'pledge'] as const;

/** A quantity in its sentence. */
export type InSentence = {
  readonly frame: DocumentFrame;
  readonly paragraph: Paragraph;
  readonly sentence: string;
  /** Where the sentence begins in its paragraph. */
  readonly offset: number;
  readonly quantity: CoinQuantity;
  readonly clause: { readonly from: number; readonly to: number };
  /** Where the next quantity begins. */
  readonly next: number;
  readonly lastRole: Role | null;
};

/** The act the quantity is the object of: the nearest verb before it in its clause, else the participle behind it. */
export function roleOf({ frame, sentence, quantity, clause, next, lastRole }: InSentence): Role | null {
  const { words } = frame.context;
  const before = sentence.slice(clause.from, quantity.start);
  const behind = sentence.slice(quantity.end, Math.min(clause.to, next, quantity.end + 60));
  const near = sentence.slice(Math.max(0, quantity.start - 80), Math.min(next, quantity.end + 60));
  if (words.has(near, 'verb pledge')) return 'pledge';
  if (quantity.lead !== '') {
    const own = roles.find((role) => words.has(quantity.lead, `verb ${role}`));
    if (own !== undefined) return own;
  }
  const nearest = lastVerb(before, words);
  if (nearest !== null) return nearest;
  const participle = firstVerb(behind, words);
  if (participle !== null) return participle;
  // "…, and 50 SOL" continues the list before it
  return /^[ ,]*(?:approximately |about )?$/.test(before) && clause.from > 0 ? lastRole : null;
}

function lastVerb(text: string, words: ReportWords): Role | null {
  const verbs = roles.flatMap((role) => words.find(text, `verb ${role}`).map(({ end }) => ({ role, end })));
  return verbs.toSorted((a, b) => b.end - a.end)[0]?.role ?? null;
}

function firstVerb(text: string, words: ReportWords): Role | null {
  const verbs = roles.flatMap((role) =>
    words.find(text, `verb ${role}`).map(({ start }) => ({ role, start })),
  );
  const first = verbs.toSorted((a, b) => a.start - b.start)[0];
  return first !== undefined && first.start <= 40 ? first.role : null;
}

/** Where the act of a quantity stands before it in its clause; null where it stands behind or nowhere. */
export function verbBefore(
  { frame, sentence, quantity, clause }: InSentence,
  kind: Role,
): { readonly start: number; readonly end: number } | null {
  const before = sentence.slice(clause.from, quantity.start);
  const last = frame.context.words.find(before, `verb ${kind}`).at(-1);
  return last === undefined ? null : { start: clause.from + last.start, end: clause.from + last.end };
}
