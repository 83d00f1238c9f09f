import { ExactDecimal } from '../values/exactDecimal.ts';
import caveats from './caveatMeanings.json' with { type: 'json' };
import meanings from './noteMeanings.json' with { type: 'json' };

/** What each code of `data_quality_notes` says, in a sentence; what follows its colon is the amount, concept or file meant. */
export const noteMeanings: Readonly<Record<string, string>> = meanings;

/** A note of a row in words: what its code says, then what stands behind the colon; a note without a meaning as it is. */
export function noteSentence(note: string): string {
  const at = note.indexOf(':');
  const code = at === -1 ? note : note.slice(0, at);
  const meaning = Object.hasOwn(noteMeanings, code) ? noteMeanings[code] : undefined;
  if (meaning === undefined) return note;
  return at === -1 ? meaning : `${meaning.replace(/\.$/, '')}: ${detailWords(code, note.slice(at + 1))}.`;
}

/** Details that are no amount, concept or date, by the code of their note. */
const details: Readonly<Record<string, (detail: string) => string>> = {
  coins_incidental: (share) => {
    const part = ExactDecimal.tryParse(share);
    return part === null ? share : `${part.times(ExactDecimal.parse('100')).rounded(2)} % of the assets`;
  },
  unit_scale_corrected: (power) => `times ${power.replace(/^10\^/, '10 to the power of ')}`,
};

function detailWords(code: string, detail: string): string {
  const own = details[code];
  if (own !== undefined) return own(detail);
  // whole amounts with their thousands apart; an accession number, a day or a name is none
  return detail
    .replace(/(?<![\w.:/-])-?\d{4,}(?![\w:/-]|\.\d)/g, (amount) => amount.replace(/\B(?=(?:\d{3})+$)/g, ','))
    .replaceAll('/', ' or ')
    .replaceAll(':', ', ');
}

/** What a flag of a market row says; loaders may set others, which are shown as codes. */
export const marketFlagMeanings: Readonly<Record<string, string>> = caveats.market_flags;

/** What an answer may carry as flag or caveat beside the notes of a row, by its code. */
export const caveatMeanings: Readonly<Record<string, string>> = {
  ...caveats.issuer_rows,
  ...caveats.slices,
  ...caveats.products,
};

/** A flag or caveat in words; a code without a meaning as it is. */
export function caveatSentence(code: string): string {
  const own = Object.hasOwn(caveatMeanings, code) ? caveatMeanings[code] : undefined;
  const flag = Object.hasOwn(marketFlagMeanings, code) ? marketFlagMeanings[code] : undefined;
  return own ?? flag ?? noteSentence(code);
}
