import { tierMeaning } from '../../data/contract/values/disclaimer.ts';
import type { BriefStyle } from '../../data/contract/values/enums.ts';
import { isPlaceholder } from '../../data/contract/values/filingUrl.ts';
import { caveatSentence, shortCaveat } from './briefCaveats.ts';
import { type BriefLine, core, detail, leading, more, must, orShort } from './briefLines.ts';
import { countedText, countText, percentChangeText, priceText, ratioText, shareText } from './figureText.ts';
import { codeWords, memberWords } from './plainText.ts';
import type { CallRow, readinessEvidence } from './sliceEvidence.ts';

type Readiness = ReturnType<typeof readinessEvidence>;

/** How complete the slice is and what the market did on its day. */
export function readinessLines(
  sourceDate: string,
  { readiness, style }: { readiness: Readiness; style: BriefStyle },
): BriefLine[] {
  const { universe_count: universe, row_count: rows, filing_source_date: newest } = readiness;
  if (rows === 0)
    return [
      core(`Slice of ${sourceDate}: no issuer has a filing in force, so no figure of one is told.`),
      leading(core(marketSentence(readiness))),
    ];
  const of = `${countText(rows)} of ${countedText(universe, 'issuer')} ${rows === 1 ? 'has' : 'have'}`;
  if (style === 'concise')
    return [
      core(`${of} a filing in force at ${sourceDate}${newest === null ? '' : `, newest of ${newest}`}.`),
      core(marketSentence(readiness)),
    ];
  const filed = newest === null ? '' : `; the newest was filed on ${newest}`;
  return [
    core(`Slice of ${sourceDate}: ${of} a filing in force${filed}.`),
    leading(core(marketSentence(readiness))),
    core(liveSentence(readiness)),
    more(
      `Debt was found for ${countedText(readiness.resolved_nonzero_count, 'issuer')}, is zero for ${countText(readiness.zero_debt_count)} and unproven for ${readiness.low_confidence_missing_debt_count === 0 ? 'none' : countText(readiness.low_confidence_missing_debt_count)}.`,
    ),
    detail(`Computed as of ${readiness.computed_at_utc}.`),
  ];
}

/** What bitcoin did, and the regime of the day. */
export function marketSentence(day: {
  readonly btc_24h_change_pct: number | null;
  readonly btc_7d_change_pct: number | null;
  readonly market_regime: string | null;
}): string {
  const moves = [
    ...(day.btc_24h_change_pct === null ? [] : [`${percentChangeText(day.btc_24h_change_pct)} over the day`]),
    ...(day.btc_7d_change_pct === null ? [] : [`${percentChangeText(day.btc_7d_change_pct)} over the week`]),
  ];
  const bitcoin = moves.length === 0 ? 'Moves of bitcoin are not known' : `Bitcoin ${moves.join(', ')}`;
  const regime =
    day.market_regime === null
      ? 'the market regime cannot be read'
      : `market regime ${codeWords(day.market_regime)}`;
  return `${bitcoin}; ${regime}.`;
}

function liveSentence(readiness: Readiness): string {
  const { live_price_coverage_count: repriced, row_count: rows, live_price_last_updated: at } = readiness;
  if (repriced === 0)
    return 'No row could be repriced: live figures are missing and filing figures stand alone.';
  const day = at === null ? '' : ` at closes up to ${at.slice(0, 10)}`;
  return `${countText(repriced)} of ${countedText(rows, 'row')} ${repriced === 1 ? 'is' : 'are'} repriced${day}.`;
}

/** Loans nearest to a call; a call that the close has passed is reported as such. */
export function callLines(calls: readonly CallRow[], style: BriefStyle): BriefLine[] {
  return calls.map((call, i) => {
    const line = callSentence(call);
    return i === 0 && style !== 'concise' ? core(line) : more(line);
  });
}

/** How far the close is from the price at which the lender of a loan calls (M16.9). */
export function callSentence(call: Omit<CallRow, 'live_ltv' | 'trigger_ltv'>): string {
  const { live_price_fall_to_call: fall, margin_call_price: price } = call;
  const loan = `${call.ticker} ${memberWords(call.name)}`;
  if (fall === null || price === null) return `No call price of the ${loan} is filed.`;
  const coin = call.collateral_asset ?? 'coin';
  const where =
    fall > 0
      ? `a further fall of ${shareText(fall)} from the close of ${call.price_date ?? 'the day'}`
      : `already crossed: the close of ${call.price_date ?? 'the day'} is not above it`;
  return `Margin call, ${loan}: ${priceText(price)} a ${coin}, ${where}, without collateral added since ${call.as_of}.`;
}

/** Caveats in sentences, one a line; for length they get shorter, and none is dropped (I2.44). */
export function caveatLines(caveats: readonly string[]): BriefLine[] {
  return caveats.map((code) => orShort(must(`- ${caveatSentence(code)}`), `- ${shortCaveat(code)}`));
}

/** Tier and what it is not (M3.28). */
export const tierSentence = `Note: ${tierMeaning}.`;

/** What the stress ratio says, with the thresholds of its bands. */
export function scaleSentence(scales: {
  readonly reference_covenant_ltv: number;
  readonly stress_bands: { readonly moderate: number; readonly high: number; readonly critical: number };
}): string {
  const { moderate, high, critical } = scales.stress_bands;
  return `A stress reading is debt divided by coins after a 50 % fall: MODERATE from ${ratioText(moderate)}, HIGH from ${ratioText(high)}, CRITICAL from ${ratioText(critical)}, where debt equals the shocked coins.`;
}

type FiledIn = {
  readonly filing_form: string | null;
  readonly period: string | null;
  readonly accession_number: string | null;
  readonly filing_url: string | null;
  /** Set where the balance sheet is so old that its row says so (M1.60). */
  readonly old_filing_days?: number | null;
};

/** `10-Q to 2025-03-31, 233 days old (0001193125-25-186660)`; the number is a link where EDGAR has a page. */
export function filingText(
  { filing_form, period, accession_number, filing_url, old_filing_days: days = null }: FiledIn,
  linked = false,
): string {
  const form = filing_form ?? 'filing';
  const age = days === null ? '' : `, ${countedText(days, 'day')} old`;
  const to = period === null ? '' : ` to ${period}${age}`;
  if (accession_number === null) return `${form}${to}`;
  if (isPlaceholder(accession_number)) return `${form}${to} (accession number not in the inputs)`;
  return linked && filing_url !== null
    ? `${form}${to} ([${accession_number}](${filing_url}))`
    : `${form}${to} (${accession_number})`;
}

/** Where a reading stands against the reference covenant: `34.4 % below it`, or beyond it. */
export function headroomWords(headroom: number, covenant: string): string {
  if (headroom > 0) return `${shareText(headroom)} below ${covenant}`;
  return headroom < 0 ? `beyond ${covenant}` : `at ${covenant}`;
}

/** `2.33 times its coins`, `0.36 of its coins`. */
export function ofItsCoins(stress: number): string {
  return `${ratioText(stress)} ${stress >= 1 ? 'times' : 'of'} its coins`;
}
