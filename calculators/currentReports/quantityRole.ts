import type { CoinQuantity } from './coinQuantities.ts';
import type { DocumentFrame } from './documentFrame.ts';
import type { Paragraph } from './readBlocks.ts';
import type { ReportWords } from './reportWords.ts';
import type { PairedTime } from './sentenceTime.ts';
import type { RefusalReason } from './statement.ts';

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
  /** Where the quantity before ends; 0 for none. */
  readonly previous: number;
  readonly lastRole: Role | null;
  /** The time that "respectively" gives this number; null where the sentence gives it none. */
  readonly paired: PairedTime | null;
};

/** The act the quantity is the object of: the nearest verb before it in its clause, else the participle behind it. */
export function roleOf(at: InSentence): Role | null {
  const { frame, sentence, quantity, clause, next, lastRole } = at;
  const { words } = frame.context;
  const before = sentence.slice(clause.from, quantity.start);
  const behind = sentence.slice(quantity.end, Math.min(clause.to, next, quantity.end + 60));
  if (isPledged(at)) return 'pledge';
  if (quantity.lead !== '') {
    const own = roles.find((role) => words.has(quantity.lead, `verb ${role}`));
    if (own !== undefined) return own;
  }
  const nearest = lastVerb(before, words);
  if (nearest !== null) return nearest;
  const participle = firstVerb(behind.split(/ (?:and|but) /, 1)[0] ?? '', words);
  if (participle !== null) return participle;
  // "…, and 50 SOL" continues the list before it
  return clause.from > 0 && isListed(before) ? lastRole : null;
}

/** Money, percentages and days, whose digits count no coins. */
const otherDigits =
  /(?:US)?\$ ?\d[\d,.]*|\d[\d.]* ?%|\b(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6}\.?(?: \d{1,2})?(?:,? (?:19|20)\d\d)?/g;

/**
 * The words of a pledge are of this number: behind it with no other number between ("n, of which m are pledged"), or before it
 * and not of the number before ("n were pledged and m lent").
 */
function isPledged({ frame, sentence, quantity, next, previous }: InSentence): boolean {
  const { words } = frame.context;
  const behind = sentence
    .slice(quantity.end, Math.min(next, quantity.end + 60))
    .replace(otherDigits, (digits) => ' '.repeat(digits.length));
  if (words.has(behind.split(/\d|\b(?:including|(?:some|part|portion) of)\b/, 1)[0] ?? '', 'verb pledge'))
    return true;
  if (words.has(sentence.slice(quantity.start, quantity.end), 'verb pledge')) return true;
  const from = Math.max(0, quantity.start - 80);
  const word = words.find(sentence.slice(from, quantity.start), 'verb pledge').at(-1);
  if (word === undefined) return false;
  const between = sentence.slice(Math.max(from + word.end, previous), quantity.start);
  return previous === 0 || !/[,;]|\b(?:and|while|but)\b/i.test(between) || isListed(between);
}

/** Coins that no longer secure a debt; "will be released" still do. */
export function isReleased({ frame, sentence, quantity, next }: InSentence): boolean {
  const behind = sentence.slice(quantity.end, Math.min(next, quantity.end + 90));
  const before = sentence.slice(Math.max(0, quantity.numberAt - 40), quantity.numberAt);
  return (
    /\b(?:was|were|been|are) (?:released|returned|freed)\b/i.test(behind) ||
    frame.context.words.ends(before, 'release')
  );
}

/** Why words of a pledge say none: required, denied, of before, or of coins the lender sold (M17.12). */
export function againstPledge(at: InSentence): RefusalReason | null {
  const { frame, sentence, quantity, clause, next, previous } = at;
  const { words } = frame.context;
  const before = sentence.slice(Math.max(clause.from, previous), quantity.start);
  const behind = sentence.slice(quantity.end, Math.min(next, quantity.end + 60));
  const pledged = behind.slice(0, words.find(behind, 'verb pledge')[0]?.start ?? 0);
  if (/\b(?:liquidated|foreclosed|seized|sold)\b/i.test(before) || /\breduced\b/i.test(sentence))
    return 'no_role';
  // "pledged n, which were released on D" has two days
  if (isReleased(at) && /\bpledged\b/i.test(before)) return 'no_role';
  if (!isReleased(at)) {
    if (/\b(?:prior to|before)\b/i.test(before)) return 'no_day';
    if (/\bunencumbered\b/i.test(sentence.slice(quantity.end, quantity.end + 120))) return 'no_role';
    if (words.has(before, 'no pledge') || words.has(pledged, 'no pledge')) return 'forward';
  }
  return null;
}

/** True where nothing but the link of a list stands between two numbers. */
function isListed(between: string): boolean {
  return /^[ ,]{0,2}(?:and|plus)?[ ,]{0,2}(?:approximately |about )?$/.test(between);
}

function lastVerb(text: string, words: ReportWords): Role | null {
  const verbs = roles.flatMap((role) => words.find(text, `verb ${role}`).map(({ end }) => ({ role, end })));
  return verbs.toSorted((a, b) => b.end - a.end)[0]?.role ?? null;
}

function firstVerb(text: string, words: ReportWords): Role | null {
  const verbs = roles.flatMap((role) =>
    words
      .find(text, `verb ${role}`)
      .filter(({ start }) => !/\b(?:of|from) (?:our|its|the|total) (?:total )?$/i.test(text.slice(0, start)))
      .map(({ start }) => ({ role, start })),
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

/**
 * True where the number counts something else than coins: what stands behind the coin is neither the end of the clause nor a
 * word that may follow coins, or options, shares or machines are what was bought or held (M17.12).
 */
export function isOtherThing(at: InSentence, kind: Role | null): boolean {
  const { frame, sentence, quantity, next } = at;
  const { words } = frame.context;
  const behind = sentence.slice(quantity.end, Math.min(next, quantity.end + 80));
  if (isWorth.test(sentence.slice(Math.max(0, quantity.numberAt - 60), quantity.numberAt))) return true;
  if (
    words.begins(behind, 'not coins behind') ||
    /^-[a-z]|^ (?:and|or|&) (?:\w{2,12} )?equivalents/i.test(behind)
  )
    return true;
  if (isNamedOtherwise(behind, words)) return true;
  if (kind === null || kind === 'pledge') return false;
  if (words.has(behind.split(/[.,;]| and \w{2,10}ed /, 1)[0] ?? '', 'derivative')) return true;
  const object = sentence.slice(verbBefore(at, kind)?.end ?? quantity.numberAt, quantity.numberAt);
  return words.has(object, 'derivative') || words.has(object, 'other object');
}

/** "Assets equivalent to 500 BTC": a measure of something else. */
const isWorth =
  /\b(?:equivalents?|equal|correspond(?:s|ing)?|comparable) (?:to|of) (?:approximately |about |the value of )?$|\b(?:worth|valued at)(?: of)? (?:approximately |about )?$/i;

/** `500 Bitcoin Cash`, `41,000 bitcoin servers`: a word that no clause goes on with makes another name. */
function isNamedOtherwise(behind: string, words: ReportWords): boolean {
  const unit = words.coins(behind.slice(0, 24))[0];
  const rest = unit !== undefined && unit.start <= 1 ? behind.slice(unit.end) : behind;
  return /^ [A-Za-z]/.test(rest) && !words.begins(rest, 'behind coins');
}

/** Money, days and numbers of coins that a list or an insertion puts before the number. */
export const insertions =
  /(?:US)?\$ ?\d[\d,.]*(?: (?:thousand|million|billion))?|\b(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6}\b|\d[\d,.]*/g;

/**
 * True where another thing is the object of the act: "bought land for 500 BTC", "acquired a company with 500 BTC". Between an
 * act and its number stand words like "a total of" alone, and the numbers of a list (M17.12).
 */
export function isOfAnotherObject(at: InSentence, kind: Role): boolean {
  const { frame, sentence, quantity } = at;
  const { words } = frame.context;
  if (kind === 'holdings' || kind === 'pledge' || quantity.lead !== '') return false;
  const verb = verbBefore(at, kind);
  if (verb === null) return false;
  const between = sentence.slice(verb.end, quantity.numberAt);
  const rest = words
    .coins(between)
    .toReversed()
    .reduce((text, { start, end }) => `${text.slice(0, start)} ${text.slice(end)}`, between)
    .replace(insertions, ' ');
  const left = rest.match(/[a-z][a-z'-]{0,30}/gi) ?? [];
  return left.some((word) => !words.begins(word, 'object filler'));
}
