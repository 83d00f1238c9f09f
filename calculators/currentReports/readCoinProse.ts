import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { isShared } from './actingSubject.ts';
import { quantityFinder } from './coinQuantities.ts';
import { isComparison, isCumulative, reasonAgainst } from './coinRefusals.ts';
import {
  type DocumentFrame,
  type Findings,
  type Found,
  marksWithin,
  refusal,
  stated,
} from './documentFrame.ts';
import { parseFigure, parsePlain } from './filedNumbers.ts';
import { measureOf } from './labelMeasure.ts';
import { type InSentence, isReleased, type Role, roleOf } from './quantityRole.ts';
import type { Paragraph } from './readBlocks.ts';
import { coinAmounts } from './readMoneyProse.ts';
import type { ReportWords } from './reportWords.ts';
import { clauseAround, clauseEnds, sentencesOf } from './sentences.ts';
import { flowTime, type Position, pairedTimes, type StatedTime, stockTime } from './sentenceTime.ts';
import type { Confidence, RefusalReason, RefusedStatement, Statement } from './statement.ts';

/** A sentence that is longer, or counts more, is a list that no rule was made for. */
const longestSentence = 2500;
const mostQuantities = 20;

/** Coins that paragraphs state: sentence by sentence, clause by clause (M17.10–M17.14). */
export function coinProseReader(frame: DocumentFrame): (paragraph: Paragraph) => Findings {
  const find = quantityFinder(frame.context.words);
  return (paragraph) => {
    if (!/\d/.test(paragraph.text)) return { statements: [], refused: [] };
    const labelled = readLabelled(frame, paragraph);
    if (labelled !== null) return labelled;
    const statements: Statement[] = [];
    const refused: RefusedStatement[] = [];
    for (const { text: quote, start } of sentencesOf(paragraph.text)) {
      // marks are counted in the text as it stands
      const sentence = paragraph.marks.length === 0 ? withCoinNames(quote, frame.context.words) : quote;
      if (sentence.length > longestSentence || frame.context.words.coins(sentence).length === 0) continue;
      const quantities = find(frame.withoutNames(sentence));
      if (quantities.length > mostQuantities) continue;
      const ends = clauseEnds(sentence);
      const paired = pairedTimes(sentence, frame.calendar, quantities.length);
      let lastRole: Role | null = null;
      let last: Statement | RefusedStatement | null = null;
      for (const [index, quantity] of quantities.entries()) {
        const following = quantities.slice(index + 1).find((other) => other.start >= quantity.end);
        const clause = clauseAround(sentence, ends, quantity);
        const at: InSentence = {
          ...{ frame, paragraph, sentence, offset: start, quantity, clause, lastRole },
          next: following?.start ?? sentence.length,
          previous: quantities[index - 1]?.end ?? 0,
          paired: paired?.[index] ?? null,
        };
        const result = readQuantity(at, { quote, last, isUnpaired: paired?.length === 0 });
        last = result;
        lastRole = roleOf(at) ?? lastRole;
        if ('reason' in result) refused.push(result);
        else statements.push(result);
      }
      statements.push(...nothingBought(frame, paragraph, sentence), ...noneHeld(frame, paragraph, sentence));
    }
    return { statements, refused };
  };
}

/** "As of D, we had n BTC" and nothing else is a stock: "had n BTC of orders" is none (M17.47). */
const hadBefore = /\bhad (?:approximately |about |a total of )?$/i;
const heldAlone =
  /^(?:[.,;]|$| and (?:approximately )?[$\d]| as (?:of|at) | (?:on|in) (?:(?:its|our|the) )?(?:balance sheet|treasury|custody|cold storage)\b)/i;

function readQuantity(
  at: InSentence,
  {
    quote,
    last,
    isUnpaired,
  }: { quote: string; last: Statement | RefusedStatement | null; isUnpaired: boolean },
): Statement | RefusedStatement {
  const { frame, paragraph, sentence, quantity } = at;
  const found = { block: paragraph.index, quote };
  const refuse = (reason: RefusalReason) =>
    refusal(frame, found, { reason, asset: quantity.asset, units: quantity.value });
  const kind = roleOf(at);
  const reason = reasonAgainst(at, kind);
  if (reason !== null) return refuse(reason);
  // what a rate is compared with is another one
  if (last !== null && 'reason' in last && last.reason === 'rate' && isComparison(at)) return refuse('rate');
  if (kind === null) return refuse('no_role');
  const position: Position = {
    ...{ sentence, start: quantity.start, end: quantity.end, next: at.next, block: paragraph.index },
  };
  const isStock = kind === 'holdings' || kind === 'pledge';
  const time = isUnpaired ? null : (at.paired?.[isStock ? 'stock' : 'flow'] ?? timeOf(frame, position, kind));
  if (!isStock && time?.basis !== 'period' && isCumulative(at)) return refuse('cumulative');
  if (time === null) return refuse('no_day');
  if (kind === 'holdings' && hadBefore.test(sentence.slice(0, quantity.numberAt)))
    if (time.basis !== 'as_of' || !heldAlone.test(sentence.slice(quantity.end))) return refuse('no_role');
  if (time.to > frame.context.source.filed) return refuse('future_day');
  const isApproximate = frame.context.words.ends(sentence.slice(0, quantity.numberAt), 'approximately');
  return statedAt(frame, found, {
    kind: kind === 'pledge' && isReleased(at) ? 'release' : kind,
    ...{ asset: quantity.asset, units: quantity.value, time, isApproximate },
    // amounts of two numbers stand behind both
    ...coinAmounts(at.paired === null ? sentence.slice(quantity.end, at.next) : '', kind),
  });
}

/** Coins with the day or period they are of: a stock has no first day; a round approximation is less sure. */
function statedAt(
  frame: DocumentFrame,
  found: Found,
  {
    time,
    ...coins
  }: Pick<Statement, 'kind' | 'asset'> &
    Partial<Statement> & { readonly units: ExactDecimal; readonly time: StatedTime },
): Statement {
  const { kind, isApproximate = false, units } = coins;
  const isStock = kind === 'holdings' || kind === 'pledge' || kind === 'release';
  return stated(frame, found, {
    ...coins,
    ...{ periodFrom: isStock ? null : time.from, asOf: time.to, dateBasis: time.basis },
    confidence: confidenceOf(time, isApproximate && isRound(units)),
  });
}

/** A pledge is dated as a stock, else by the day it was made. */
function timeOf(frame: DocumentFrame, position: Position, kind: Role): StatedTime | null {
  if (kind !== 'holdings' && kind !== 'pledge') return flowTime(frame, position);
  const stock = stockTime(frame, position);
  if (kind === 'holdings' || stock?.basis === 'as_of') return stock;
  if (/\bnow (?:has|have|holds?)\b/i.test(position.sentence)) return stock;
  const made = flowTime(frame, { ...position, next: position.end });
  return made?.basis === 'day' ? made : stock;
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
    const kind = /sell/i.test(match[1] ?? '') ? 'sale' : 'purchase';
    const found = { block: paragraph.index, quote: sentence };
    return [statedAt(frame, found, { kind, asset: coin.asset, units: ExactDecimal.zero, time })];
  });
}

const heldNone =
  /^(?:(?:as of|as at|at|on) [^;:]{6,24}, )?([^,;:]{2,60}?) (?:(?:held|owned|holds?|owns?) no|(?:did|do|does) not (?:hold|own) any|no longer (?:held|owned|holds?|owns?) any) (\w{3,12})(?: (?:as of|as at|at) [^;:]{6,24})?\.?$/i;

/** "As of D, we held no bitcoin" and nothing else is a stock of 0; less is said of a part, of others or of futures (M17.47). */
function noneHeld(frame: DocumentFrame, paragraph: Paragraph, sentence: string): Statement[] {
  const { words, source } = frame.context;
  const [, subject = '', coin = ''] = heldNone.exec(sentence) ?? [];
  const asset = words.assetOf(coin);
  const isOwn = frame.withoutNames(subject).trim() === '' || /^(?:we|the company)$/i.test(subject);
  if (asset === null || !isOwn || frame.isSubsidiary(subject, 0)) return [];
  const start = sentence.lastIndexOf(coin);
  const end = start + coin.length;
  const position = { sentence, start, end, next: sentence.length, block: paragraph.index };
  const time = stockTime(frame, position);
  if (time?.basis !== 'as_of' || time.to > source.filed) return [];
  const found = { block: paragraph.index, quote: sentence };
  return [statedAt(frame, found, { kind: 'holdings', asset, units: ExactDecimal.zero, time })];
}

/** `₿2,812` and `2,812 $HYPE` as a number before its coin (M17.11). */
function withCoinNames(sentence: string, words: ReportWords): string {
  if (!/[₿$]/.test(sentence)) return sentence;
  return sentence
    .replace(
      /₿ ?(\d[\d,]{0,18}(?:\.\d{1,8})?)(?![\w.,]{0,2}\d)(?! ?(?:million|billion|thousand|[kKmM]\b))/g,
      '$1 BTC',
    )
    .replace(/(?<=\d )\$([A-Z]{3,5})\b/g, (signed, ticker) =>
      words.assetOf(ticker) === null ? signed : ticker,
    );
}

const labelled =
  /^[•●▪■◦·*-]? ?([^:]{3,120}?) ?: ?(?:approximately )?(\d[\d,]{0,18}(?:\.\d{1,8})?)(?![,.]?\d)(?: ([A-Za-z]{2,10}))?(?: ?[(;,.].{0,120})?$/;

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
  if (measure.kind === 'production' && isShared(paragraph.text)) return refuse('third_party');
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
    statements: [statedAt(frame, found, { kind: measure.kind, asset, units, time })],
  };
}
