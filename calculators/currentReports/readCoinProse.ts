import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { coinAmounts } from './coinAmounts.ts';
import { type CoinQuantity, quantityFinder } from './coinQuantities.ts';
import { type DocumentFrame, type Findings, marksWithin, refusal, stated } from './documentFrame.ts';
import { parseFigure, parsePlain } from './filedNumbers.ts';
import { measureOf } from './labelMeasure.ts';
import type { Paragraph } from './readBlocks.ts';
import type { ReportWords } from './reportWords.ts';
import { clauseAround, clauseEnds, sentencesOf } from './sentences.ts';
import { flowTime, type Position, type StatedTime, stockTime } from './sentenceTime.ts';
import type { Confidence, RefusalReason, RefusedStatement, Statement } from './statement.ts';

type Role = 'purchase' | 'sale' | 'production' | 'holdings' | 'pledge';
/** A sentence that is longer, or counts more, is a list that no rule was made for. */
const longestSentence = 2500;
const mostQuantities = 20;
const roles = ['purchase', 'sale', 'production', 'holdings', 'pledge'] as const;

/** Coins that paragraphs state: sentence by sentence, clause by clause (M17.10–M17.14). */
export function coinProseReader(frame: DocumentFrame): (paragraph: Paragraph) => Findings {
  const find = quantityFinder(frame.context.words);
  return (paragraph) => {
    if (!/\d/.test(paragraph.text)) return { statements: [], refused: [] };
    const labelled = readLabelled(frame, paragraph);
    if (labelled !== null) return labelled;
    const statements: Statement[] = [];
    const refused: RefusedStatement[] = [];
    for (const { text: sentence, start } of sentencesOf(paragraph.text)) {
      if (sentence.length > longestSentence || frame.context.words.coins(sentence).length === 0) continue;
      const quantities = find(sentence);
      if (quantities.length > mostQuantities) continue;
      const ends = clauseEnds(sentence);
      let lastRole: Role | null = null;
      for (const [index, quantity] of quantities.entries()) {
        const following = quantities.slice(index + 1).find((other) => other.start >= quantity.end);
        const clause = clauseAround(sentence, ends, quantity);
        const at: InSentence = {
          ...{ frame, paragraph, sentence, offset: start, quantity, clause, lastRole },
          next: following?.start ?? sentence.length,
        };
        const result = readQuantity(at);
        lastRole = roleOf(at) ?? lastRole;
        if ('reason' in result) refused.push(result);
        else statements.push(result);
      }
      statements.push(...nothingBought(frame, paragraph, sentence));
    }
    return { statements, refused };
  };
}

type InSentence = {
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

function readQuantity(at: InSentence): Statement | RefusedStatement {
  const { frame, paragraph, sentence, quantity } = at;
  const found = { block: paragraph.index, quote: sentence };
  const refuse = (reason: RefusalReason) =>
    refusal(frame, found, { reason, asset: quantity.asset, units: quantity.value });
  const kind = roleOf(at);
  const reason = reasonAgainst(at, kind);
  if (reason !== null) return refuse(reason);
  if (kind === null) return refuse('no_role');
  const position: Position = {
    ...{ sentence, start: quantity.start, end: quantity.end, next: at.next, block: paragraph.index },
  };
  const isStock = kind === 'holdings' || kind === 'pledge';
  const time = timeOf(frame, position, kind);
  if (!isStock && time?.basis !== 'period' && isCumulative(at)) return refuse('cumulative');
  if (time === null) return refuse('no_day');
  if (time.to > frame.context.source.filed) return refuse('future_day');
  const isApproximate = frame.context.words.ends(sentence.slice(0, quantity.numberAt), 'approximately');
  return stated(frame, found, {
    kind: kind === 'pledge' && isReleased(at) ? 'release' : kind,
    asset: quantity.asset,
    units: quantity.value,
    periodFrom: isStock ? null : time.from,
    asOf: time.to,
    ...coinAmounts(sentence.slice(quantity.end, at.next), kind),
    isApproximate,
    confidence: confidenceOf(time, isApproximate && isRound(quantity.value)),
    dateBasis: time.basis,
    fromTable: false,
  });
}

/** Coins that no longer secure a debt; "will be released" still do. */
function isReleased({ sentence, quantity, next }: InSentence): boolean {
  const behind = sentence.slice(quantity.end, Math.min(next, quantity.end + 60));
  const before = sentence.slice(Math.max(0, quantity.numberAt - 30), quantity.numberAt);
  return (
    /\b(?:was|were|been|are) released\b/i.test(behind) ||
    /\breleased(?: the)?(?: approximately| about)? $/i.test(before)
  );
}

/** A pledge is dated as a stock, else by the day it was made. */
function timeOf(frame: DocumentFrame, position: Position, kind: Role): StatedTime | null {
  if (kind !== 'holdings' && kind !== 'pledge') return flowTime(frame, position);
  const stock = stockTime(frame, position);
  if (kind === 'holdings' || stock?.basis === 'as_of') return stock;
  const made = flowTime(frame, { ...position, next: position.end });
  return made?.basis === 'day' ? made : stock;
}

/** The act the quantity is the object of: the nearest verb before it in its clause, else the participle behind it. */
function roleOf({ frame, sentence, quantity, clause, next, lastRole }: InSentence): Role | null {
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

/** Why the number is not what the issuer did or holds (M17.12); null for nothing against it. */
function reasonAgainst(at: InSentence, kind: Role | null): RefusalReason | null {
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
function isCumulative({ frame, sentence, quantity, next }: InSentence): boolean {
  return frame.context.words.has(sentence.slice(0, Math.min(next, quantity.end + 60)), 'cumulative');
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

function confidenceOf({ basis }: StatedTime, isRoundApproximation: boolean): Confidence {
  const explicit = basis === 'period' || basis === 'as_of' || basis === 'day';
  return explicit && !isRoundApproximation ? 'High' : 'Medium';
}

/** Ends in two zeros, as an estimate does. */
function isRound(value: ExactDecimal): boolean {
  return value.scale === 0 && value.units % 100n === 0n;
}

/** "did not purchase any bitcoin" with a period is a purchase of none (M17.12). */
function nothingBought(frame: DocumentFrame, paragraph: Paragraph, sentence: string): Statement[] {
  const { words } = frame.context;
  return [
    ...sentence.matchAll(
      /\bdid not [^.;]{0,160}?(purchase|acquire|buy|sell) (?:any |additional |any additional )?/gi,
    ),
  ].flatMap((match) => {
    const end = match.index + match[0].length;
    const coin = words.coins(sentence.slice(end, end + 20))[0];
    if (
      coin === undefined ||
      coin.start > 3 ||
      words.begins(sentence.slice(end + coin.end), 'not coins behind') ||
      frame.ownSubjects(sentence).length === 0
    )
      return [];
    const time = flowTime(frame, {
      sentence,
      start: match.index,
      end: end + coin.end,
      next: sentence.length,
      block: paragraph.index,
    });
    if (time === null || time.from === null || time.to > frame.context.source.filed) return [];
    return [
      stated(
        frame,
        { block: paragraph.index, quote: sentence },
        {
          kind: /sell/i.test(match[1] ?? '') ? 'sale' : 'purchase',
          asset: coin.asset,
          units: ExactDecimal.zero,
          periodFrom: time.from,
          asOf: time.to,
          confidence: confidenceOf(time, false),
          dateBasis: time.basis,
          fromTable: false,
        },
      ),
    ];
  });
}

const labelled =
  /^[•●▪■◦·*-]? ?([^:]{3,120}?) ?: ?(?:approximately )?(\d[\d,]{0,18}(?:\.\d{1,8})?)(?: ([A-Za-z]{2,10}))?(?: ?[(;,.].{0,120})?$/;

/** `Bitcoin mined in November: 535`: dated by its label, else by the heading above (M17.8). */
function readLabelled(frame: DocumentFrame, paragraph: Paragraph): Findings | null {
  const { words } = frame.context;
  if (paragraph.text.length > 280) return null;
  const match = labelled.exec(paragraph.text);
  if (match === null) return null;
  const [, label = '', digits = '', unit] = match;
  if (unit !== undefined && words.assetOf(unit) === null) return null;
  const measure = measureOf(unit === undefined ? label : `${label} ${unit}`, words);
  if (measure.is === 'none' || parseFigure(digits) === null) return null;
  const found = { block: paragraph.index, quote: paragraph.text };
  const asset =
    (measure.is === 'measure' ? measure.asset : null) ?? words.coins(paragraph.text)[0]?.asset ?? null;
  const units = parsePlain(digits);
  const refuse = (reason: RefusalReason) => ({
    statements: [],
    refused: [refusal(frame, found, { reason, asset, units })],
  });
  if (asset === null) return null;
  if (measure.is === 'refused' || measure.kind === 'purchase or sale') return refuse('refused_label');
  if (frame.pointsToDerivatives(paragraph.index, marksWithin(paragraph.marks, 0, paragraph.text.length)))
    return refuse('includes_derivatives');
  const isStock = measure.kind === 'holdings';
  const numberAt = paragraph.text.indexOf(digits, label.length);
  const position = {
    ...{ sentence: paragraph.text, start: numberAt, end: numberAt + digits.length },
    ...{ next: paragraph.text.length, block: paragraph.index },
  };
  const time = isStock ? stockTime(frame, position) : flowTime(frame, position);
  if (time === null) return refuse('no_day');
  if (time.to > frame.context.source.filed) return refuse('future_day');
  return {
    refused: [],
    statements: [
      stated(frame, found, {
        kind: measure.kind,
        asset,
        units,
        periodFrom: isStock ? null : time.from,
        asOf: time.to,
        confidence: confidenceOf(time, false),
        dateBasis: time.basis,
        fromTable: false,
      }),
    ],
  };
}
