import { isOnly, isThirdParty } from './actingSubject.ts';
import { marksWithin } from './documentFrame.ts';
import {
  againstPledge,
  type InSentence,
  isOfAnotherObject,
  isOtherThing,
  type Role,
  verbBefore,
} from './quantityRole.ts';
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
  if (isRate(at, before, behind)) return 'rate';
  if (isOtherThing(at, kind)) return 'not_coins';
  if (words.ends(whole, 'bound') || words.has(quantity.lead, 'bound')) return 'bound';
  if (quantity.isOfTwo && at.paired === null) return 'bound';
  if (quantity.isRounded) return 'rounded';
  if (words.ends(before, 'net change') || isMoreThanBefore(at)) return 'net_change';
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
  if (kind !== 'pledge' && /, of (?:which|these) (?:approximately |about )?$/i.test(whole)) return 'part';
  if (kind !== 'pledge' && exceptBefore.test(before)) return 'part';
  if (shareBefore.test(before)) return 'part';
  if (isCompared(at)) return 'prior';
  const noPledge = kind === 'pledge' ? againstPledge(at) : null;
  if (noPledge !== null) return noPledge;
  if (isFootnote(paragraph)) return 'part';
  if (isStaked(at, kind)) return 'staked_part';
  if (
    frame.pointsToDerivatives(
      paragraph.index,
      marksWithin(paragraph.marks, offset + quantity.start, offset + quantity.end + 1),
    )
  )
    return 'includes_derivatives';
  if (isExhibitTitle(paragraph.text)) return 'exhibit_title';
  const act = frame.withoutNames(sentence.slice(subjectBefore(at), quantity.numberAt));
  if (
    words.has(act, 'forward') ||
    isHabit(act, kind) ||
    isUndone(at, kind) ||
    isOnlyTold(at) ||
    words.has(frame.withoutNames(sentence), 'not actual')
  )
    return 'forward';
  const told = sentence.slice(0, quantity.end);
  if (kind !== 'holdings' && kind !== 'pledge' && words.has(told, 'prior')) return 'prior';
  if (/\bpreviously (?:disclosed|announced|reported|stated) that\b/i.test(told)) return 'prior';
  if (
    kind === 'holdings' &&
    /, which (?:currently )?(?:held|holds|owns|owned|had)\b[^,;]{0,20}$/i.test(whole)
  )
    return 'third_party';
  if (kind === 'purchase' && isMinedToo(at, behind)) return 'no_role';
  if (kind === 'holdings' && isOfSubsidiary(at)) return 'part';
  if (kind !== null && isThirdParty(at, kind)) return 'third_party';
  if (kind !== null && (isOfAnotherObject(at, kind) || isGovernedByOther(at, kind))) return 'no_role';
  return null;
}

/** "Did not sell n", "failed to purchase n", "is required to hold n". */
function isUndone(at: InSentence, kind: Role | null): boolean {
  const verb = kind === null ? null : verbBefore(at, kind);
  return (
    verb !== null &&
    at.frame.context.words.ends(at.sentence.slice(Math.max(0, verb.start - 40), verb.start), 'undone')
  );
}

const exceptBefore =
  /\b(?:excluding|exclusive of|net of|except for|other than|besides|in addition to|aside from) (?:approximately |about )?$/i;
const shareBefore =
  /(?:%|\b(?:percent|half|third|quarter|most|majority|portion|part|some)) of (?:our|its|the)(?: total| remaining)? (?:approximately )?$/i;
const telling =
  /\b(?:announc(?:ed?|es|ing)|report(?:ed|s|ing)?|disclos(?:ed|es|ing)|stat(?:ed|es|ing)|confirm(?:ed|s|ing)|sa(?:id|ys)|not(?:ed|es|ing)|advis(?:ed|ing)|inform(?:ed|ing)|indicat(?:ed|ing))\b[^;]{0,60}$/i;

/** "The auditors found that we held n", "a proposal under which we sold n": who tells it must be the issuer (M17.12). */
function isOnlyTold({ frame, sentence, quantity }: InSentence): boolean {
  const own = frame.ownSubjects(sentence).filter((start) => start < quantity.numberAt);
  const pronoun = / (?:that|which) it (?:has |had )?\w{3,12} [^,;]{0,40}$/i.exec(
    sentence.slice(0, quantity.numberAt),
  );
  const start = pronoun === null ? Math.max(...own) : sentence.indexOf(' it ', pronoun.index) + 1;
  const lead = /^(.*) (that|which) $/i.exec(sentence.slice(0, Math.max(0, start)));
  if (lead === null) return false;
  const [, before = '', word] = lead;
  return !(
    word?.toLowerCase() === 'that' &&
    telling.test(before) &&
    !/\bnot\b/i.test(before) &&
    frame.ownSubjects(before).length > 0
  );
}

/** "Added n: m from mining and k from purchases" bought k alone. */
function isMinedToo(at: InSentence, behind: string): boolean {
  const verb = verbBefore(at, 'purchase');
  const isAdded = verb !== null && /added/i.test(at.sentence.slice(verb.start, verb.end));
  const mined = /\b(?:from|through|via) (?:[\w-]{2,12} ){0,2}(?:self-)?(?:mining|production)\b/i;
  return (
    mined.exec(behind)?.index === 1 ||
    (isAdded && (mined.test(at.sentence) || /\bmined\b/i.test(at.sentence)))
  );
}

/** "We purchase n a month" is no purchase that was made. */
function isHabit(act: string, kind: Role | null): boolean {
  if (kind === null || kind === 'holdings' || kind === 'pledge') return false;
  return /\b(?:we|company) (?:purchase|buy|acquire|sell|mine|produce|earn)\b/i.test(act);
}

/** A mean, a best day or a pace says nothing of what the period held. */
function isRate({ frame, sentence }: InSentence, before: string, behind: string): boolean {
  const { words } = frame.context;
  return (
    words.ends(before, 'rate before') ||
    meanBefore.test(before) ||
    words.begins(behind, 'rate') ||
    /^[ ,]{0,2}(?:\w+ ){0,3}(?:per|a|each|\/) ?(?:day|month|week|hour|block|year)\b/i.test(behind) ||
    /^(?: per |\/)/i.test(behind) ||
    words.has(sentence, 'mean of a time')
  );
}

const meanBefore =
  /\b(?:daily|average|avg\.?|mean)(?: (?!price|cost|hash|operating|uptime|and|we|to|purchase)[\w-]{1,14}){0,3} $/i;

/** "15 more bitcoin than in July" is a difference. */
function isMoreThanBefore({ sentence, quantity, next }: InSentence): boolean {
  const number = sentence.slice(quantity.start, quantity.end);
  const behind = sentence.slice(quantity.end, Math.min(next, quantity.end + 60));
  return (
    /\b(?:more|fewer|less|additional|higher|lower)\b/i.test(number) &&
    /^ (?:[\w-]+ ){0,2}(?:than|versus|vs\.?|over|compared)\b/i.test(behind)
  );
}

function isStaked(
  { frame: { context }, sentence, clause, quantity, next }: InSentence,
  kind: Role | null,
): boolean {
  // behind coins mined it is the machines that are deployed
  const reach = kind === 'production' ? 0 : 50;
  const near = sentence.slice(clause.from, Math.min(clause.to, next, quantity.end + reach));
  return context.words.has(near, 'staked part');
}

const bestSince = /\b(?:best|highest|strongest|largest|most) (?:\w{2,12} ){1,4}since\b/i;
const runningTotal =
  /\b(?:has|have) (?:\w{2,12} )?\w{3,12} (?:a total of|in total|in aggregate|an aggregate(?: total)? of)\b|\b(?:has|have) [^.;]{1,60}\bin (?:aggregate|total)\b|\bin (?:aggregate|total),? (?:[\w.]{2,20} ){1,4}(?:has|have)\b/i;

/** Flows "to date" have no period of their own (M17.12). */
export function isCumulative({ frame, sentence, quantity, next }: InSentence): boolean {
  const text = sentence.slice(0, Math.min(next, quantity.end + 60)).replace(bestSince, ' ');
  return frame.context.words.has(text, 'cumulative') || runningTotal.test(text);
}

const comparison =
  /\b(?:compared (?:to|with)|versus|vs\.?|than|(?:up|down|increase[ds]?|decrease[ds]?|grew|rose) from|from)(?: approximately| about)? $/i;
const otherPeriod = /^[^,;]{0,40}\b(?:prior|previous|preceding|same|year-ago|earlier|last)\b/i;

/** "…, up from n": what the number before it is compared with. */
export function isComparison({ sentence, quantity }: Pick<InSentence, 'sentence' | 'quantity'>): boolean {
  return comparison.test(sentence.slice(Math.max(0, quantity.start - 40), quantity.start));
}

/** What the number of this period is compared with, unless a day or month right behind it says when it was. */
function isCompared({ frame, sentence, quantity, next }: InSentence): boolean {
  const behind = sentence.slice(quantity.end, Math.min(next, quantity.end + 50));
  const isBeside = isComparison({ sentence, quantity });
  if (!isBeside && !otherPeriod.test(behind)) return false;
  const { calendar } = frame;
  const dated = [
    ...findDays(behind, calendar),
    ...findMonths(behind, calendar),
    ...findQuarters(behind, calendar),
  ];
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

/** Where the subject nearest before the quantity begins, else the clause. */
function subjectBefore({ frame, sentence, quantity, clause }: InSentence): number {
  const subjects = frame.ownSubjects(sentence).filter((start) => start < quantity.start);
  return Math.max(clause.from, ...subjects, 0);
}

/** A stock of a subsidiary is part of the issuer's. */
function isOfSubsidiary({ frame, sentence, quantity }: InSentence): boolean {
  const nearest = frame.ownSubjects(sentence).filter((start) => start < quantity.start);
  return nearest.length > 0 && frame.isSubsidiary(sentence, Math.max(...nearest));
}

/**
 * "We arranged the sale of n", "we considered selling n", "we valued n held by others": what the issuer did is the verb before,
 * which is none that means the act was done (M17.12).
 */
function isGovernedByOther(at: InSentence, kind: Role): boolean {
  const { frame, sentence, quantity } = at;
  if (kind === 'pledge') return false;
  const verb = verbBefore(at, kind);
  const own = frame.ownSubjects(sentence).filter((start) => start < (verb?.start ?? quantity.start));
  if (own.length === 0) return false;
  const lead = frame.withoutNames(sentence.slice(Math.max(...own), verb?.start ?? quantity.numberAt));
  const { words } = frame.context;
  if (verb === null)
    return quantity.lead === '' && Math.max(...own) >= at.clause.from && !isOnly(lead, 'act lead', words);
  if (kind === 'holdings') return false;
  const act = sentence.slice(verb.start, verb.end);
  const isNoun =
    / of$/i.test(act) ||
    (/^(?:purchase|sale|acquisition|production|mining)s?$/i.test(act) &&
      /\b(?:a|an|the|our|its) (?:[\w-]{1,20} ){0,2}$/i.test(lead));
  if (!isNoun && !/ing$/i.test(act) && !/\bto $/i.test(lead)) return false;
  // "funded its growth through the sale of n"
  return (
    !/\b(?:through|by|via|from|after|following)(?: (?:the|a|our|its))? $/i.test(lead) &&
    !isOnly(lead, 'act lead', words)
  );
}
