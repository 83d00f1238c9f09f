import { marksWithin } from './documentFrame.ts';
import { type InSentence, type Role, roles } from './quantityRole.ts';
import type { Paragraph } from './readBlocks.ts';
import { findDays, findMonths, findQuarters } from './reportDates.ts';
import type { RefusalReason } from './statement.ts';

/** Why the number is not what the issuer did or holds (M17.12); null for nothing against it. */
export function reasonAgainst(at: InSentence, kind: Role | null): RefusalReason | null {
  const { frame, paragraph, sentence, offset, quantity, clause, next } = at;
  const { words } = frame.context;
  const before = sentence.slice(clause.from, quantity.numberAt);
  const whole = sentence.slice(0, quantity.numberAt);
  const behind = sentence.slice(quantity.end, Math.min(next, quantity.end + 80));
  if (
    words.begins(behind, 'not coins behind') ||
    /^-[a-z]|^ (?:and|or|&) (?:\w{2,12} )?equivalents/i.test(behind)
  )
    return 'not_coins';
  if (
    words.ends(before, 'rate before') ||
    /^[ ,]{0,2}(?:\w+ ){0,3}(?:per|a|each|\/) ?(?:day|month|week|hour|block|year)\b/i.test(behind)
  )
    return 'rate';
  if (words.begins(behind, 'rate') || /^ per /i.test(behind)) return 'rate';
  if (words.ends(whole, 'bound') || words.has(quantity.lead, 'bound')) return 'bound';
  if (quantity.isRounded) return 'rounded';
  if (words.ends(before, 'net change')) return 'net_change';
  if (
    quantity.isPart ||
    /\bof(?: the)? \d[\d,.]* $/.test(sentence.slice(Math.max(0, quantity.numberAt - 20), quantity.numberAt))
  )
    return 'part';
  if (/^ (?:of (?:these|which|such)|(?:are|were|is|was) (?:held )?(?:restricted|encumbered))/i.test(behind))
    return 'part';
  if (
    kind !== 'pledge' &&
    /\b(?:of (?:these|which|such)|includ(?:es|ing)|which included?)\b[^,;]{0,30}$/i.test(before)
  ) {
    if (!/holdings? (?:\w+ ){0,2}include/i.test(before)) return 'part';
  }
  if (isCompared(at)) return 'prior';
  if (isFootnote(paragraph)) return 'part';
  if (isStaked(at)) return 'staked_part';
  if (kind === 'holdings' && words.has(behind.split(/[.,;]/, 1)[0] ?? '', 'derivative')) return 'not_coins';
  if (
    frame.pointsToDerivatives(
      paragraph.index,
      marksWithin(paragraph.marks, offset + quantity.start, offset + quantity.end + 1),
    )
  )
    return 'includes_derivatives';
  if (isExhibitTitle(paragraph.text)) return 'exhibit_title';
  const act = sentence.slice(subjectBefore(at), quantity.numberAt);
  if (words.has(act, 'forward')) return 'forward';
  if (kind !== 'holdings' && kind !== 'pledge' && words.has(sentence.slice(0, quantity.end), 'prior'))
    return 'prior';
  if (
    kind === 'holdings' &&
    /, which (?:currently )?(?:held|holds|owns|owned|had)\b[^,;]{0,20}$/i.test(whole)
  )
    return 'third_party';
  if (kind === 'holdings' && isOfSubsidiary(at)) return 'part';
  if (kind === 'production' && hostedToo.test(sentence)) return 'third_party';
  if (kind !== null && isThirdParty(at, kind)) return 'third_party';
  return null;
}

function isStaked({ frame: { context }, sentence, clause, quantity, next }: InSentence): boolean {
  const near = sentence.slice(clause.from, Math.min(clause.to, next, quantity.end + 50));
  return context.words.has(near, 'staked part');
}

/** Flows "to date" have no period of their own (M17.12). */
export function isCumulative({ frame, sentence, quantity, next }: InSentence): boolean {
  return frame.context.words.has(sentence.slice(0, Math.min(next, quantity.end + 60)), 'cumulative');
}

const comparison =
  /\b(?:compared (?:to|with)|versus|vs\.?|than|(?:up|down|increase[ds]?|decrease[ds]?|grew|rose) from|from)(?: approximately| about)? $/i;
const otherPeriod = /^[^,;]{0,40}\b(?:prior|previous|preceding|same|year-ago|earlier|last)\b/i;

/** What the number of this period is compared with, unless a day or month right behind it says when it was. */
function isCompared({ frame, sentence, quantity, next }: InSentence): boolean {
  const behind = sentence.slice(quantity.end, Math.min(next, quantity.end + 50));
  const isBeside = comparison.test(sentence.slice(Math.max(0, quantity.start - 40), quantity.start));
  if (!isBeside && !otherPeriod.test(behind)) return false;
  const { filed } = frame.context.source;
  const dated = [...findDays(behind, filed), ...findMonths(behind, filed), ...findQuarters(behind)];
  return otherPeriod.test(behind) || !dated.some(({ start }) => start <= 12);
}

/** A footnote says what a number of its table holds. */
function isFootnote({ text, marks }: Paragraph): boolean {
  return marks[0]?.at === 0 || /^\((?:\d{1,2}|[a-z])\) /.test(text);
}

function isExhibitTitle(paragraph: string): boolean {
  return (
    /^(?:exhibit )?\d{1,3}\.\d{1,2}[*+†]? /i.test(paragraph) &&
    /press release|dated|agreement|indenture/i.test(paragraph)
  );
}

/** A stock of a subsidiary is part of the issuer's. */
function isOfSubsidiary({ frame, sentence, quantity }: InSentence): boolean {
  const nearest = frame.ownSubjects(sentence).filter((start) => start < quantity.start);
  return nearest.length > 0 && frame.isSubsidiary(sentence, Math.max(...nearest));
}

/** Where the subject nearest before the quantity begins, else the clause. */
function subjectBefore({ frame, sentence, quantity, clause }: InSentence): number {
  const subjects = frame.ownSubjects(sentence).filter((start) => start < quantity.start);
  return Math.max(clause.from, ...subjects, 0);
}

/** What a data center produced with coins of its customers in it. */
const hostedToo = /\b(?:hosted|hosting|customers?|clients?|colocation|third[- ]part(?:y|ies))\b/i;

/** What may stand before the act: a bullet, a day or month. */
const bullet =
  /^["'(•●▪■◦·*-]{0,2} ?(?:(?:as of|at|in|during) (?:[A-Z][a-z]{2,8}\.? ?\d{0,2}(?:st|nd|rd|th)?,?(?: 20\d\d)?),? (?:we |the )?)?(?:approximately |a total of )?/i;

/** The issuer must act: the subject nearest before the quantity is its own, or a headline or bullet begins with the act. */
function isThirdParty(at: InSentence, kind: Role): boolean {
  const { frame, sentence, quantity, paragraph, offset } = at;
  const { words } = frame.context;
  const own = frame.ownSubjects(sentence);
  // of a pledge a lender may well be the one who acts
  if (kind === 'pledge') return /\b(?:customers?|clients?|investors?|governments?|users?)\b/i.test(sentence);
  const others = words.find(sentence, 'third party');
  const before = own.filter((start) => start < quantity.end);
  const nearestOwn = Math.max(-1, ...before);
  const nearestOther = Math.max(
    -1,
    ...others.filter(({ end }) => end <= quantity.start).map(({ start }) => start),
  );
  const behind = sentence.slice(quantity.end, Math.min(at.next, quantity.end + 40));
  if (/^ (?:\w+ ){0,3}(?:by|from|of) (?:the )?/i.test(behind) && words.has(behind, 'third party'))
    return true;
  if (
    /^ (?:seized|stolen|held by (?!us|our|the company))/i.test(behind) &&
    !own.some((s) => s > quantity.end)
  )
    return true;
  if (nearestOwn >= 0) return nearestOther > nearestOwn;
  if (nearestOther >= 0) return true;
  if (own.some((start) => start > quantity.end && start < quantity.end + 60)) return false;
  if (offset > 0) return true;
  const start = bullet.exec(paragraph.text)?.[0].length ?? 0;
  const opening = paragraph.text.slice(start, start + 60);
  const acts =
    roles.some((role) => words.begins(opening, `verb ${role}`)) || words.begins(opening, 'opening');
  return !(acts || words.coins(opening)[0]?.start === 0 || quantity.numberAt <= start);
}
