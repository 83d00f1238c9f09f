import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { type DocumentFrame, stated } from './documentFrame.ts';
import { parsePlain, scaleOf } from './filedNumbers.ts';
import type { Paragraph } from './readBlocks.ts';
import { type Calendar, findDays } from './reportDates.ts';
import type { ReportWords } from './reportWords.ts';
import { sentencesOf } from './sentences.ts';
import { flowTime, type Position, stockTime, withoutOtherEvents } from './sentenceTime.ts';
import type { Statement } from './statement.ts';

const longestSentence = 2500;

/** Cash, sales at the market, notes and loans that a paragraph states (M17.15, M17.16). */
export function readMoneyProse(frame: DocumentFrame, paragraph: Paragraph): Statement[] {
  if (!paragraph.text.includes('$')) return [];
  return sentencesOf(paragraph.text).flatMap(({ text, start }) => {
    if (!text.includes('$') || text.length > longestSentence) return [];
    const at = { frame, paragraph, sentence: text, before: paragraph.text.slice(0, start) };
    return [...readCash(at), ...readSharesSold(at), ...readNotesIssued(at), ...readDebtRepaid(at)];
  });
}

type InParagraph = {
  readonly frame: DocumentFrame;
  readonly paragraph: Paragraph;
  readonly sentence: string;
  /** The sentences before it in the paragraph. */
  readonly before: string;
};

/** Dollars of a day that is stated, unless something else is said. */
function statedIn(
  { frame, paragraph, sentence }: Pick<InParagraph, 'frame' | 'paragraph' | 'sentence'>,
  statement: Pick<Statement, 'kind'> & Partial<Statement>,
): Statement[] {
  const found = { block: paragraph.index, quote: sentence };
  return [stated(frame, found, { asset: 'USD', confidence: 'High', dateBasis: 'day', ...statement })];
}

function positionOf({ paragraph, sentence }: InParagraph, start: number, end: number): Position {
  return { sentence, start, end, next: sentence.length, block: paragraph.index };
}

function readCash(at: InParagraph): Statement[] {
  const { frame, sentence } = at;
  const { words, source } = frame.context;
  const found = words.find(sentence, 'cash').flatMap(({ start, end }) => {
    const between =
      /^(?: (?:balance|position))?(?:,? as of [\w ,]{3,24})?,? ?(?:of|was|were|totaled|is|stood at|:)(?: approximately| about)? ?(?=(?:US)?\$)/i.exec(
        sentence.slice(end, end + 90),
      );
    const behind =
      between === null
        ? undefined
        : findMoney(sentence.slice(end + between[0].length, end + between[0].length + 40))[0];
    const held = behind === undefined ? heldBefore(sentence.slice(0, start)) : null;
    const money = held ?? behind;
    if (money === undefined || (held === null && money.start > 0)) return [];
    const until = held === null ? end + (between?.[0].length ?? 0) + money.end : end;
    if (/^ (?:was|were|has been) (?:used|paid|spent|raised)\b/i.test(sentence.slice(until))) return [];
    const lead = sentence.slice(0, held?.start ?? start);
    const said = frame.withoutNames(lead);
    if (words.has(said, 'forward') || words.has(said, 'third party')) return [];
    if (words.has(frame.withoutNames(sentence), 'not actual')) return [];
    if (words.ends(lead, 'no cash held')) return [];
    if (/\b(?:had|has|have|held|holds|reported)\b/i.test(lead) && frame.ownSubjects(lead).length === 0)
      return [];
    const time = stockTime(frame, positionOf(at, held?.start ?? start, until));
    if (time === null || time.to > source.filed) return [];
    const confidence = time.basis === 'as_of' ? 'High' : 'Medium';
    return statedIn(at, { kind: 'cash', usd: money.value, asOf: time.to, confidence, dateBasis: time.basis });
  });
  // "total cash and cash equivalents" holds a shorter name of the same
  return found.slice(-1);
}

/** "We had $x in cash and cash equivalents": the amount stands before its name. */
function heldBefore(lead: string): MoneyMention | null {
  const from = Math.max(0, lead.length - 90);
  const money = findMoney(lead.slice(from)).at(-1);
  if (money === undefined) return null;
  const [start, end] = [from + money.start, from + money.end];
  const isHeld =
    /\b(?:had|has|have|held|holds|hold)(?: a total of)?(?: approximately| about)? $/i.test(
      lead.slice(0, start),
    ) && /^ (?:in|of) $/i.test(lead.slice(end));
  return isHeld ? { value: money.value, start, end } : null;
}

const sharesSold =
  /\b(?:issued and sold|sold|issued)(?: an aggregate(?: total)? of| a total of)?(?: approximately)? (\d{1,3}(?:,\d{3}){1,4}|\d{3,12}|\d{1,3}(?:\.\d{1,3})? million)((?: [\w-]{1,20}){0,4}?) (?:shares|ADSs)\b/gi;

/** Shares of another company; its own are of a class, a series or a ticker. */
const sharesOfOthers =
  /^ of (?!(?:our|its|the [Cc]ompany|[Cc]lass|[Ss]eries|[Cc]ommon|[Pp]referred|[Oo]rdinary|[Ss]tock|[Vv]ariable|[Pp]erpetual|\d)|[A-Z]{3,6}\b)/;

/** (Issued and) sold n shares for net or gross proceeds of x (M17.15). */
function readSharesSold(at: InParagraph): Statement[] {
  const { frame, sentence } = at;
  const { words, source } = frame.context;
  return [...sentence.matchAll(sharesSold)].flatMap((match) => {
    const [whole, digits = '', between = ''] = match;
    const end = match.index + whole.length;
    const behind = sentence.slice(end, end + 400);
    const proceeds = /\b(?:net|gross) proceeds\b/i.exec(behind);
    const money = proceeds === null ? undefined : findMoney(behind.slice(proceeds.index))[0];
    if (money === undefined || frame.ownSubjects(sentence.slice(0, match.index)).length === 0) return [];
    if (words.has(sentence.slice(Math.max(0, match.index - 60), match.index), 'forward')) return [];
    const isRunning = words.has(sentence, 'cumulative') && !/\bsince (?!inception)/i.test(sentence);
    if (sharesOfOthers.test(sentence.slice(end, end + 60))) return [];
    const position = positionOf(at, match.index, end);
    const flow = flowTime(frame, position);
    const day = stockTime(frame, position);
    const isOwn = flow?.basis === 'day' || (flow?.basis !== 'heading' && (flow?.from ?? null) !== null);
    const own = isOwn ? flow : null;
    const net = /\bnet proceeds\b/i.exec(behind);
    const afterCosts = net === null ? undefined : findMoney(behind.slice(net.index))[0];
    const stock = day?.basis === 'as_of' ? day : null;
    const to = own?.to ?? stock?.to ?? null;
    if ((to !== null && to > source.filed) || (isRunning && own?.basis !== 'period')) return [];
    return statedIn(at, {
      ...{ kind: 'atm', asset: 'shares', units: countOf(digits), usd: money.value },
      ...{ periodFrom: own?.from ?? null, asOf: to, dateBasis: own?.basis ?? stock?.basis ?? 'none' },
      netProceeds: afterCosts?.value ?? null,
      security:
        /\b([A-Z]{3,6})$/.exec(between)?.[1] ??
        /^ of (?:its |our )?([A-Z]{3,6}) (?:Stock|Shares)\b/.exec(sentence.slice(end, end + 40))?.[1] ??
        null,
      confidence: own !== null ? 'High' : to !== null ? 'Medium' : 'Low',
    });
  });
}

function countOf(digits: string): ExactDecimal {
  const [number = '', scale] = digits.split(' ');
  return scale === undefined ? parsePlain(number) : parsePlain(number).times(scaleOf(scale));
}

const notesSold =
  /aggregate principal amount of (?:the |such )?(?:[\w.%-]{1,20} ){0,6}notes (?:sold|issued)(?: in the offering| and sold)? (?:was|were|totaled)(?: approximately)? (?=(?:US)?\$)/i;
const offeringClosed =
  /(?:completed|closed|consummated|issued|announce[sd] the (?:closing|completion) of)(?: and sold)? (?:(?:its|the|an?|previously|announced|private|offering|placement|of|sale|registered|direct|underwritten|public|upsized|approximately) ){0,12}(?=(?:US)?\$)/i;
const noteMade =
  /\bissued (?:to [\w.,& ]{1,60} )?(?:an? )?(?:[\w.%-]{1,20} ){0,6}(?:note|debenture)s? in the (?:aggregate |original )?principal amount of (?:approximately )?(?=(?:US)?\$)/i;
const principalBehind =
  /^ (?:in )?(?:aggregate )?(?:original )?principal amount|^ (?:of )?(?:(?!(?:stock|shares|units|warrants|acquisition|to|for|with|from|by|and) )[\w.%-]{1,20} ){0,5}(?:notes?|debentures?)\b/i;
/** "Its previously announced offering" may well have closed; "as previously disclosed" tells an old event. */
const toldBefore = /\bas (?:previously|already) |\bpreviously (?:disclosed|reported)\b/i;
const loanMade =
  /(?:issued|borrowed|drew(?: down)?|received|(?:made|funded|provided) to the company|(?:made|funded|provided) us) (?:an? )?(?:aggregate (?:of )?)?(?:initial )?(?=(?:US)?\$)/i;
const loanBehind =
  /^ (?:(?:senior|secured|term|initial|delayed|draw|aggregate|principal|amount|of|the|under|bitcoin-backed) ){0,6}(?:term )?loan\b/i;

const netProceeds =
  /\bnet proceeds (?:were|was)(?: approximately)? $|\bnet proceeds (?:to (?:us|the company) )?(?:from|of) (?:the |this |such )?(?:sale|offering|issuance|notes|private)[^.$]{0,120}(?:was|were|are|is|of|totaled)(?: approximately)? $/i;

const drawMade =
  /(?:borrowed|drew(?: down)?)(?: an?)?(?: (?:additional|aggregate|total|initial|further))?(?: of)? (?=(?:US)?\$)/i;
const drawBehind =
  /^ (?:(?:in|of) (?:[\w-]{1,20} ){1,4})?(?:under|from|against|on|pursuant to) (?:[\w.,&'$-]{1,25} ){0,8}(?:facility|line|agreement|loan|credit)\b/i;

/** Net proceeds that the paragraph or one of the three behind it states of the same closing; an estimate is none. */
function netProceedsOf(
  { blocks, context: { words } }: DocumentFrame,
  { index }: Paragraph,
): ExactDecimal | null {
  for (const block of blocks.slice(index, index + 4)) {
    if (block.kind !== 'paragraph') continue;
    for (const { text } of sentencesOf(block.text)) {
      const money = findMoney(text).find(({ start }) =>
        netProceeds.test(text.slice(Math.max(0, start - 240), start)),
      );
      if (
        money !== undefined &&
        !words.has(text.slice(0, money.start), 'forward') &&
        !/\bestimate/i.test(text.slice(0, money.start))
      )
        return money.value;
    }
  }
  return null;
}

/** The closing of notes or of a loan, with its principal (M17.16); pricing, upsizing and options are none. */
function readNotesIssued(at: InParagraph): Statement[] {
  const { frame, paragraph, sentence, before } = at;
  const { words, source } = frame.context;
  const amount =
    amountBehind(sentence, notesSold) ??
    amountBehind(sentence, offeringClosed, principalBehind) ??
    amountBehind(sentence, noteMade) ??
    amountBehind(sentence, loanMade, loanBehind) ??
    amountBehind(sentence, drawMade, drawBehind);
  if (amount === null) return [];
  const lead = sentence.slice(0, amount.start);
  if (words.has(lead.slice(-120), 'forward') || toldBefore.test(lead)) return [];
  const told = /\btoday announced the (?:closing|completion)\b/i.test(lead) ? frame.releaseDay : null;
  const day = dayOfAct(at, amount) ?? openingDay(before, frame.calendar) ?? told;
  if (day === null || day > source.filed) return [];
  if (frame.ownSubjects(`${before} ${lead}`).length === 0) return [];
  const netProceeds = netProceedsOf(frame, paragraph);
  return statedIn(at, { kind: 'notes_issued', usd: amount.value, netProceeds, asOf: day });
}

/**
 * A financial obligation that item 2.03 reports and of which no sentence states an amount: live figures then stay on filed
 * units (M17.26).
 */
export function unreadObligation(frame: DocumentFrame, paragraphs: readonly Paragraph[]): Statement[] {
  const { source, type } = frame.context;
  if (type !== source.form || !source.items.includes('2.03')) return [];
  const heading = paragraphs.find(({ text }) => /\b2\.03\b/.test(text));
  if (heading === undefined) return [];
  const told = { asOf: source.filed, confidence: 'Medium', dateBasis: 'release' } as const;
  return statedIn({ frame, paragraph: heading, sentence: heading.text }, { kind: 'notes_issued', ...told });
}

/** True where the issuer is named nearest before the act, not a customer, borrower or holder. */
function isOwnAct(
  {
    words,
    ownSubjects,
    withoutNames,
  }: Pick<DocumentFrame, 'ownSubjects' | 'withoutNames'> & {
    words: ReportWords;
  },
  lead: string,
): boolean {
  const own = Math.max(-1, ...ownSubjects(lead));
  return own >= 0 && words.find(withoutNames(lead), 'third party').every(({ start }) => start <= own);
}

const repaid =
  /\b(?:prepaid|repaid|paid off|redeemed|repurchased|retired|extinguished)(?! \w+ or )(?: (?!will|may|or|conver|stock|shares?|units?|warrants?|ADSs)[\w'-]{1,20}){0,8}? (?=(?:US)?\$)/i;

/** A redemption completed, a repurchase or a prepayment, with its amount and day (M17.16). */
function readDebtRepaid(at: InParagraph): Statement[] {
  const { frame, sentence } = at;
  const { words, source } = frame.context;
  const amount = amountBehind(sentence, repaid);
  if (amount === null) return [];
  const lead = sentence.slice(0, amount.start);
  if (
    words.has(lead, 'forward') ||
    toldBefore.test(lead) ||
    !/loan|\bnotes?\b|debt|principal|credit|facility|debentures?/i.test(sentence)
  )
    return [];
  if (/\b(?:shares|stock|interest)\b/i.test(sentence.slice(amount.end, amount.end + 40))) return [];
  const day = dayOfAct(at, amount);
  if (day === null || day > source.filed) return [];
  if (!isOwnAct({ words, ...frame }, lead)) return [];
  return statedIn(at, { kind: 'debt_repaid', usd: amount.value, asOf: day });
}

function amountBehind(sentence: string, lead: RegExp, behind?: RegExp): MoneyMention | null {
  const match = lead.exec(sentence);
  if (match === null) return null;
  const start = match.index + match[0].length;
  const money = findMoney(sentence.slice(start, start + 40))[0];
  if (money === undefined || money.start > 0) return null;
  if (behind !== undefined && !behind.test(sentence.slice(start + money.end, start + money.end + 120)))
    return null;
  return { value: money.value, start, end: start + money.end };
}

/** The day "on D" nearest before the amount, else the first behind it: never that of another event, nor one that is due. */
function dayOfAct({ frame, sentence }: InParagraph, amount: MoneyMention): string | null {
  const { calendar } = frame;
  const text = withoutOtherEvents(sentence, amount, { calendar, isStock: false });
  const days = findDays(text, calendar).filter(({ start }) =>
    /(?<!\bdue )\bon $/i.test(text.slice(Math.max(0, start - 8), start)),
  );
  return (
    (days.findLast(({ end }) => end <= amount.start) ?? days.find(({ start }) => start >= amount.end))?.day ??
    null
  );
}

/** The day that the last sentence with "On D" at its begin is about. */
function openingDay(text: string, calendar: Calendar): string | null {
  const on = /(?:^|[.!?] )(?:[^.]{0,60}\b)?on $/i;
  const days = findDays(text, calendar);
  return days.findLast(({ start }) => on.test(text.slice(Math.max(0, start - 90), start)))?.day ?? null;
}

const beingRedeemed =
  /principal amount of (?:the )?(?:[\w.%-]{1,20} ){0,6}being redeemed (?:is|was)(?: approximately)? (?=(?:US)?\$)/i;
const redeemAll =
  /\b(?:redeem|redemption of)(?: \("?[^)]{0,30}\))?(?: in full)?(?: \([^)]{0,30}\))? all(?: of the)?(?: approximately)? (?=(?:US)?\$)/i;
const noticeOf =
  /\bnotice of (?:full |partial )?redemption\b[^$]{0,220}principal amount of(?: approximately)? (?=(?:US)?\$)/i;
const redemptionDay = / \((?:the|such date,? the|each,? an?) "Redemption Date/;

/** A called redemption: the principal and the day for which it is called (M17.16). */
export function readRedemptionNotices(frame: DocumentFrame, paragraphs: readonly Paragraph[]): Statement[] {
  const called = paragraphs.filter(({ text }) => /redemption|redeem/i.test(text));
  const day =
    called.map(({ text }) => calledDay(text, frame.calendar)).find((found) => found !== null) ?? null;
  if (day === null) return [];
  for (const paragraph of called) {
    for (const { text } of sentencesOf(paragraph.text)) {
      const amount =
        amountBehind(text, beingRedeemed) ?? amountBehind(text, redeemAll) ?? amountBehind(text, noticeOf);
      if (amount === null) continue;
      const notice = { kind: 'redemption_notice', usd: amount.value, asOf: day } as const;
      return statedIn({ frame, paragraph, sentence: text }, notice);
    }
  }
  return [];
}

function calledDay(text: string, calendar: Calendar): string | null {
  const named = redemptionDay.exec(text);
  const lead = named === null ? null : text.slice(Math.max(0, named.index - 24), named.index);
  const day = lead === null ? undefined : findDays(lead, calendar).at(-1);
  if (day !== undefined) return day.day;
  const redeemed = /\b(?:will be|to be|be) redeemed on /i.exec(text);
  if (redeemed === null) return null;
  const at = redeemed.index + redeemed[0].length;
  const next = findDays(text.slice(at, at + 24), calendar)[0];
  return next !== undefined && next.start === 0 ? next.day : null;
}

type MoneyMention = {
  readonly value: ExactDecimal;
  readonly start: number;
  readonly end: number;
};

/** Dollars with their scale; what goes on with letters or digits that are not understood is no amount. */
const money =
  /(?<![A-Z])(?:US)?\$ ?(\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(\.\d{1,8})?(?:[ -]?(thousand|million|billion|trillion|mio|mln|mm|mn|bn|m|b|k)s?\b)?(?! ?(?:mil|thousand|million|billion)s?\b)(?![\w]|[,.']\d|-[a-z])/gi;
const shortScales: Readonly<Record<string, string>> = {
  m: 'million',
  mn: 'million',
  mio: 'million',
  mln: 'million',
  mm: 'million',
  b: 'billion',
  bn: 'billion',
  k: 'thousand',
};

function findMoney(text: string): MoneyMention[] {
  return [...text.matchAll(money)].map((match) => {
    const [whole, integer = '', fraction = '', scale] = match;
    const plain = parsePlain(integer + fraction);
    return {
      value: scale === undefined ? plain : plain.times(scaleOf(shortScales[scale.toLowerCase()] ?? scale)),
      start: match.index,
      end: match.index + whole.length,
    };
  });
}

const perCoin = /^ ?(?:per |each\b|\/)/i;
const average = /average[^$]{0,60}$/i;
const paid =
  /(?:\bfor(?: a total(?: consideration| cost)? of)?(?: an aggregate(?: purchase price)? of)?|aggregate (?:purchase price|cost|amount|consideration) of|total (?:purchase price|cost|consideration) of|aggregate[^$]{0,30}proceeds[^$]{0,20}|cost of)(?: approximately| about| cash)?(?: proceeds of(?: approximately)?)? $/i;
const received =
  /(?:proceeds|\bfor(?: a total(?: consideration)? of)?)(?: (?:of|totaling|were|was))?(?: approximately| about)? $/i;
const costBasis =
  /(?:aggregate|total)(?: (?:purchase price|cost(?: basis)?) of)?(?: approximately| about)? $/i;

/** Where another act, or a number of shares, begins: amounts behind it are of that. */
const otherAct =
  /\b(?:and|while|but|which) (?:\w{2,12} ){0,2}(?:sold|repurchased|bought back|paid|closed|repaid|redeemed|issued|raised)\b|\d[\d,]{2,14} (?:\w{2,20} ){0,2}shares\b/i;

/** Amount and price between a quantity and the next: "average" amounts are prices (M17.12). */
export function coinAmounts(
  text: string,
  kind: 'purchase' | 'sale' | 'production' | 'holdings' | 'pledge',
): { usd: ExactDecimal | null; avgPrice: ExactDecimal | null } {
  if (kind === 'production' || kind === 'pledge') return { usd: null, avgPrice: null };
  const expected = kind === 'holdings' ? costBasis : kind === 'sale' ? received : paid;
  const own = text.slice(0, text.search(otherAct) < 0 ? text.length : text.search(otherAct));
  const mentions = findMoney(own).map((mention) => ({
    ...mention,
    before: text.slice(Math.max(0, mention.start - 90), mention.start).replace(/~$/, ''),
  }));
  const price = mentions.find(
    ({ before, end }) =>
      average.test(before) && !/\bwhen\b/i.test(before) && !/^ ?(?:and|to|-) ?\$/.test(text.slice(end)),
  );
  const amount = mentions.find(
    (mention) =>
      mention !== price &&
      expected.test(mention.before) &&
      !average.test(mention.before) &&
      !perCoin.test(text.slice(mention.end, mention.end + 16)),
  );
  return { usd: amount?.value ?? null, avgPrice: price?.value ?? null };
}
