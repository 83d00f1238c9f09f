// Paragraphs to sentences and clauses (M17.10).

/** A part of a text with where it begins. */
export type TextSpan = { readonly text: string; readonly start: number };

const sentenceEnd = /[.!?][)"'\]]{0,3} (?=[A-Z"'(•[\d])/g;
const abbreviation =
  /(?:^|[ ("'])(?:Inc|Corp|Co|Ltd|LLC|L\.L\.C|plc|No|Nos|U\.S|U\.K|St|Mr|Mrs|Ms|Dr|vs|approx|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|a\.m|p\.m|d\/b\/a|e\.g|i\.e|[A-Z])$/i;

/** The sentences of a paragraph; `Inc.`, `U.S.` and the like end none. */
export function sentencesOf(text: string): TextSpan[] {
  const sentences: TextSpan[] = [];
  let start = 0;
  for (const match of text.matchAll(sentenceEnd)) {
    const end = match.index + match[0].length;
    if (
      match[0].startsWith('.') &&
      abbreviation.test(text.slice(Math.max(start, match.index - 12), match.index))
    )
      continue;
    sentences.push({ text: text.slice(start, end).trimEnd(), start });
    start = end;
  }
  if (start < text.length) sentences.push({ text: text.slice(start), start });
  return sentences;
}

const clauseEnd =
  /;|, (?:as )?compared (?:to|with) |, (?:and|while|with|bringing|using|compared|versus|which|making|representing|but|of which) | (?:compared (?:to|with)|versus|vs\.|while) |, (?=resulting|increasing|decreasing|including)/g;

/** Where clauses of a sentence end, in order: the offsets behind the separating words. */
export function clauseEnds(sentence: string): number[] {
  return [...sentence.matchAll(clauseEnd)].map((match) => match.index + match[0].length);
}

/** The clause that holds an offset: from the last boundary before it to the next one behind it. */
export function clauseAround(
  sentence: string,
  ends: readonly number[],
  { start, end }: { start: number; end: number },
): { from: number; to: number } {
  const from = ends.findLast((at) => at <= start) ?? 0;
  const to = ends.find((at) => at > end) ?? sentence.length;
  return { from, to };
}
