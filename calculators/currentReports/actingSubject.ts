import { type InSentence, insertions, type Role, roles, verbBefore } from './quantityRole.ts';
import type { ReportRole, ReportWords } from './reportWords.ts';

// Who acts: the issuer, or another party (M17.10).

/** What a data center produced with coins of its customers in it. */
const hostedToo = /\b(?:hosted|hosting|customers?|clients?|cloud|colocation|third[- ]part(?:y|ies))\b/i;

/** True where coins of customers are in a production. */
export function isShared(text: string): boolean {
  return hostedToo.test(text);
}

/** What all of a data center produced is not what the issuer mined. */
const dataCenters =
  /\bdata cent(?:er|re)s?\b(?![^.;]{0,60}\bself-min)[^.;]{0,40}\b(?:produced|mined|earned)\b/i;
const pledgedByOthers =
  /\b(?:customers?|clients?|investors?|governments?|users?|borrowers?|members)\b|\breceived\b[^.;]{0,80}\bcollateral\b|\bposted (?:with|to) us\b|\bloan book\b|\bloans? receivable\b/i;

/** "… BTC on behalf of our customers", "… to clients". */
function isForOthers(behind: string, words: ReportWords): boolean {
  return [
    ...behind.matchAll(
      /(?<=[ ])(?:by|from|of|for|to|on|with|belonging to) (?:(?:the|our|its|their|retail|institutional) ){0,2}/gi,
    ),
  ].some(
    ({ index, 0: lead }) =>
      !/[.;]/.test(behind.slice(0, index)) && words.begins(behind.slice(index + lead.length), 'third party'),
  );
}

/** A name between the issuer and the act is the one who acts: "we believe Strategy owned". */
function isNamedActor(at: InSentence, kind: Role, own: number): boolean {
  const { frame, sentence } = at;
  const verb = verbBefore(at, kind);
  if (verb === null || verb.start <= own) return false;
  const lead = frame.withoutNames(sentence).slice(Math.max(own, verb.start - 120), verb.start);
  const match = nameAtEnd.exec(lead);
  const [, name = ''] = match ?? [];
  if (match === null || notNames.test(name)) return false;
  const start = verb.start - lead.length + match.index;
  if (isOwnWithin(frame.ownSubjects(sentence), start - 4, start + name.length)) return false;
  if (match.index === 0 && lead.length < 120 && own === 0) return /\w \w/.test(name);
  return !/(?:^|\b(?:in|on|of|by|at|through|via|with|from|under|to|for|during|since|until|as|between|the|our|its|subsidiar(?:y|ies),?) ?)$/i.test(
    lead.slice(0, match.index),
  );
}

function isOwnWithin(own: readonly number[], from: number, to: number): boolean {
  return own.some((start) => start >= from && start < to);
}

/** "A site that mined n": the act is that of what the issuer bought, or the like. */
function isOfRelative(at: InSentence, kind: Role): boolean {
  const verb = kind === 'holdings' ? null : verbBefore(at, kind);
  return (
    verb !== null &&
    /\b(?:that|which|who)(?: (?:has|have|had))? $/i.test(
      at.sentence.slice(Math.max(0, verb.start - 16), verb.start),
    )
  );
}

/** "Alpha's purchase of n". */
function isOfNamedOwner(at: InSentence, kind: Role): boolean {
  const verb = verbBefore(at, kind);
  if (verb === null) return false;
  const from = Math.max(0, verb.start - 60);
  const match = /(?<!\w)([A-Z][\w.&-]{1,30})(?:'s|s') (?:[\w-]{1,20} ){0,2}$/.exec(
    at.sentence.slice(from, verb.start),
  );
  const start = from + (match?.index ?? 0);
  return (
    match !== null &&
    !/^Company/.test(match[1] ?? '') &&
    !isOwnWithin(at.frame.ownSubjects(at.sentence), start - 30, start + (match[1] ?? '').length)
  );
}

const nameAtEnd =
  /(?<![\w.])([A-Z][\w.&'-]{1,30}(?: [A-Z][\w.&'-]{0,30}){0,5}),? (?:(?:has|have|had|also|then|now|currently|recently|subsequently|today) ){0,2}$/;
const notNames =
  /^(?:We|Our|Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sep|Oct|Nov|Dec|Mon|Tues|Wednes|Thurs|Fri|Satur|Sun|Q[1-4]|Bitcoin|BTC|Ethereum|ETH|Solana|SOL|Company|Registrant|Group|Treasury|Total|Mining|Production|Operations?)/;

/** What may stand before the act: a bullet, a day or month. */
const bullet =
  /^["'(•●▪■◦·*-]{0,2} ?(?:(?:as of|at|in|during) (?:[A-Z][a-z]{2,8}\.? ?\d{0,2}(?:st|nd|rd|th)?,?(?: 20\d\d)?),? (?:we |the )?)?(?:approximately |a total of )?/i;

const holders =
  '(?:funds?|trusts?|et[fp]s?|exchange-traded products?|vehicles?|subsidiar(?:y|ies)|partnerships?|ventures?|compan(?:y|ies)|entit(?:y|ies)|clients?|customers?|affiliates?|investees?)';
const holderWithOwn = new RegExp(
  `\\b${holders}(?:,? (?:that|which|whom|whose [a-z]{1,20}|(?:in|of|for|to|by|on) (?:which|whom)))? $`,
  'i',
);
const accountsOfOthers = /\b(?:accounts|portfolios)(?: (?:that|which))? $/i;
const holderOfOwn = new RegExp(
  `\\b(?:${holders}|accounts|portfolios),? (?:(?:[a-z]{2,20}ed|run) by(?: one of| an? (?:affiliate|subsidiary) of)?|under) $`,
  'i',
);
const ownAdverb =
  /\b(?:we|the company|the registrant|the group|has|have|had|also|then|now|currently|directly|already|still|together)\b/gi;

/**
 * True where the issuer is named only to say whose fund or company acts: "the fund we sponsor held", "a trust managed by us
 * sold" (M17.10). What the issuer owns whole or consolidates is its own.
 */
function isBesideHolder(at: InSentence, kind: Role, own: number): boolean {
  const verb = verbBefore(at, kind);
  if (verb === null || verb.start <= own) return false;
  const lead = at.sentence.slice(Math.max(0, own - 90), own);
  const between = at.sentence.slice(own, verb.start);
  if (/\b(?:wholly|fully|100 ?%)|(?<!not )\bconsolidates?\b|[;:]/i.test(lead.slice(-20) + between))
    return false;
  if (holderOfOwn.test(lead)) return true;
  if (isInserted(at, own, between)) return true;
  if (!/[a-z]/i.test(between.replace(ownAdverb, ''))) return false;
  const owner = /^(?:our|its|(?:[A-Z]|the (?:company|group|registrant)\b)[^,;]{0,60}?(?:'s|s'|’s|s’)) /i.exec(
    between,
  );
  if (owner !== null) return !isOnly(between.slice(owner[0].length), 'own noun', at.frame.context.words);
  return (
    holderWithOwn.test(lead) ||
    (accountsOfOthers.test(lead) && /\b(?:manage|advise|administer|supervise)/i.test(between))
  );
}

const insertion =
  /(?:^|[^,;]), (?:[^,;]{0,60}\b(?:which|whom|who|whose)|to be|an? [^,;]{1,40}|[a-z]{3,20}ed by)\b[^,;]{0,80}$/;

/** "True North, acquired by us, owned n", "Mr. Mo, who advises the Company, bought n": who acts stands before the insertion. */
function isInserted({ frame, sentence }: InSentence, own: number, between: string): boolean {
  const lead = sentence.slice(Math.max(0, own - 140), own);
  const match = insertion.exec(lead);
  return (
    match !== null &&
    /^[^,;]{1,80}, (?:(?:has|have|had|also|then|now|currently) ){0,2}$/.test(between) &&
    !/subsidiar/i.test(match[0]) &&
    frame.ownSubjects(sentence).every((start) => start >= own - (lead.length - match.index))
  );
}

/** True where a text holds coins, days, money and words of one role alone. */
export function isOnly(text: string, role: ReportRole, words: ReportWords): boolean {
  const rest = words
    .coins(text)
    .toReversed()
    .reduce((left, { start, end }) => `${left.slice(0, start)} ${left.slice(end)}`, text)
    .replace(insertions, ' ');
  return (rest.match(/[a-z][a-z'-]{0,30}/gi) ?? []).every((word) => words.begins(word, role));
}

/** "We held n, Alpha m" and "with Alpha we held n": another acts, or acts too (M17.46). */
function isOfNamedBeside({ frame, sentence, quantity }: InSentence): boolean {
  const text = frame.withoutNames(sentence);
  const before = /(?:[,;]| and) ([A-Z][\w.&-]{2,30}(?: [A-Z][\w.&-]{1,30}){0,3}) $/.exec(
    text.slice(0, quantity.numberAt),
  );
  const beside =
    /^(?:(?:together|jointly|along|combined) with|with) (?:(?:our |its )?(?:partners|peers)|([A-Z][\w.&-]{1,30}))\b/i.exec(
      text,
    );
  return [before, beside].some((match) => {
    const name = match === null ? 'We' : (match[1] ?? 'Partners');
    return /^[A-Z]/.test(name) && !notNames.test(name);
  });
}

/** The issuer must act: the subject nearest before the quantity is its own, or a headline or bullet begins with the act. */
export function isThirdParty(at: InSentence, kind: Role): boolean {
  const { frame, sentence, quantity, paragraph, offset } = at;
  const { words } = frame.context;
  const own = frame.ownSubjects(sentence);
  // of a pledge a lender may well be the one who acts
  if (kind === 'pledge') return pledgedByOthers.test(sentence);
  if (kind === 'production' && (isShared(sentence) || dataCenters.test(sentence))) return true;
  const others = words.find(frame.withoutNames(sentence), 'third party');
  const before = own.filter((start) => start < quantity.end);
  const besideHolders = before.filter((start) => isBesideHolder(at, kind, start));
  const nearestOwn = Math.max(-1, ...before.filter((start) => !besideHolders.includes(start)));
  const nearestOther = Math.max(
    -1,
    // "our peers and we"
    ...others.filter(({ end }) => sentence.slice(end, nearestOwn) === ' and ').map(() => nearestOwn + 1),
    ...others.filter(({ end }) => end <= quantity.start).map(({ start }) => start),
    ...besideHolders,
  );
  const behind = sentence.slice(quantity.end, Math.min(at.next, quantity.end + 40));
  if (isForOthers(sentence.slice(quantity.end, Math.min(at.next, quantity.end + 90)), words)) return true;
  if (
    /^ (?:seized|stolen|held by (?!us|our|the company))/i.test(behind) &&
    !own.some((s) => s > quantity.end)
  )
    return true;
  if (isOfRelative(at, kind) || isOfNamedOwner(at, kind) || isHeldInside(at) || isQuoteOfOthers(at))
    return true;
  if (isOfNamedBeside(at)) return true;
  if (nearestOwn >= 0) return nearestOther > nearestOwn || isNamedActor(at, kind, nearestOwn);
  if (nearestOther >= 0) return true;
  if (isNamedActor(at, kind, 0)) return true;
  if (own.some((start) => start > quantity.end && start < quantity.end + 60)) return false;
  if (offset > 0) return true;
  const start = bullet.exec(paragraph.text)?.[0].length ?? 0;
  const opening = paragraph.text.slice(start, start + 60);
  const acts =
    roles.some((role) => words.begins(opening, `verb ${role}`)) || words.begins(opening, 'opening');
  const isOfCoin =
    words.coins(opening)[0]?.start === 0 && !manyHolders.test(paragraph.text.slice(start, quantity.numberAt));
  return !(acts || isOfCoin || quantity.numberAt <= start);
}

const manyHolders =
  /\b(?:compan(?:y|ies)|miners|whales|firms|treasuries|banks|nations|countries|buyers|owners|adopters)\b/i;

/** "Kiosks holding n": what holds is the noun before, unless a comma or an own verb stands there. */
function isHeldInside({ sentence, quantity }: InSentence): boolean {
  return /[a-z] holding (?:approximately |about |a total of )?$/.test(
    sentence
      .slice(Math.max(0, quantity.numberAt - 60), quantity.numberAt)
      .replace(/\b(?:is|are|was|were|and|while|by|now|currently|still|also|for|we) holding /, ', holding '),
  );
}

/** "'We hold n', said the chief executive of Alpha": the issuer is not named outside the words quoted. */
function isQuoteOfOthers({ frame, sentence }: InSentence): boolean {
  if (!/["\u201c\u201d]/.test(sentence) || !/\b(?:said|says|stated|commented|noted|added)\b/i.test(sentence))
    return false;
  const outside = sentence.replace(/["\u201c][^"\u201c\u201d]{0,2000}["\u201d]/g, (quote) =>
    ' '.repeat(quote.length),
  );
  return frame.ownSubjects(outside).length === 0;
}
