import { codeOf } from './briefCaveats.ts';
import { type BriefLine, behind, core, detail, leading, more, must, orShort, when } from './briefLines.ts';
import type { CovenantEvidence, FacilityEvidence } from './covenantEvidence.ts';
import { countedText, countText, decimalOf, moveText, ratioText, shareText, usdText } from './figureText.ts';
import { memberWords } from './plainText.ts';
import { callSentence, headroomWords, marketSentence, ofItsCoins } from './sharedSentences.ts';

type Live = NonNullable<CovenantEvidence['live']>;

/** The readings at the closes of the slice's day beside those of the filing; or why there are none. */
export function overlayLines(evidence: CovenantEvidence): BriefLine[] {
  const { live } = evidence;
  if (live === null) return [core(missingSentence(evidence)), ...eventLines(evidence)];
  const { live_covenant_headroom_50pct: headroom, live_breach_probability_1y: breach } = live;
  const hasDebt = owes(evidence, live);
  return [
    orShort(must(valueSentence(evidence, live)), shortValue(evidence, live)),
    ...unitLines(live),
    ...eventLines(evidence),
    ...moveLines(live, hasDebt),
    ...when(
      hasDebt && headroom !== null,
      more(`- That is ${headroomWords(headroom ?? 0, 'the reference covenant')}.`),
    ),
    ...when(
      hasDebt && breach !== null,
      behind(detail(`- Modelled chance to touch it within a year: ${shareText(breach ?? 0)}.`)),
    ),
    more(`- ${marketSentence(live)}`),
  ];
}

/** Filed debt, or debt reported since beside stated units. */
function owes(
  { total_long_term_debt: debt }: CovenantEvidence,
  { live_stress_50pct: stress }: Live,
): boolean {
  return debt !== '0' || stress > 0;
}

/** Coins the live reading rests on, their age, and the reading on the filed ones (M17.25). */
function unitLines({ stated_units: stated }: Live): BriefLine[] {
  if (stated === undefined) return [];
  const { units, asset, as_of: day, age_days: age, live_stress_50pct_filed_units: filed } = stated;
  const debt = stated.has_debt_since ? ' and the debt reported since' : '';
  const old = `${countedText(age, 'day')} old`;
  const beside = filed === null ? '' : `; on filed coins and debt it is ${ratioText(filed)}`;
  const count = `${countText(units, 8)} ${asset}`;
  return [core(`- It rests on ${count} as of ${day}, stated by the issuer, ${old}${debt}${beside}.`)];
}

/** What the newest current report states (M17.33). */
function eventLines({ newest_event: event }: CovenantEvidence): BriefLine[] {
  if (event === undefined) return [];
  return [more(`- Newest report, of ${event.known_on}: ${event.text} (${event.accession_number}).`)];
}

function valueSentence(evidence: CovenantEvidence, live: Live): string {
  const value = live.live_total_crypto_fair_value;
  const coins = value === null ? '' : ` its coins are worth ${usdText(value)} and`;
  const at = `At the closes of ${live.price_date}${coins}`;
  if (!owes(evidence, live)) return `${at} no filed debt stands against them: the reading stays 0.00.`;
  const tier = live.live_risk_tier;
  const filed =
    tier === evidence.risk_tier ? ', as in the filing' : `; the filing said ${evidence.risk_tier}`;
  const tierWords = tier === null ? '' : `: tier ${tier}${filed}`;
  return `${at} its debt, ${live.stated_units?.has_debt_since === true ? 'with what was closed and repaid since' : 'as filed'}, is ${ofItsCoins(live.live_stress_50pct)} after a 50 % fall${tierWords}.`;
}

function shortValue(evidence: CovenantEvidence, live: Live): string {
  const at = `At the closes of ${live.price_date}, after a 50 % fall`;
  if (!owes(evidence, live)) return `${at}: no filed debt, 0.00.`;
  const tier = live.live_risk_tier === null ? '' : `, tier ${live.live_risk_tier}`;
  return `${at}: ${ofItsCoins(live.live_stress_50pct)}${tier}.`;
}

function moveLines(live: Live, hasDebt: boolean): BriefLine[] {
  if (!hasDebt) return [];
  const { live_stress_delta_7d: week, live_stress_delta_24h: day, stress_velocity: velocity } = live;
  const moved = moveText({ week, day });
  if (moved === null)
    return [more('- Moves of the reading are not known: closes of earlier days are missing.')];
  return [
    leading(core(`- The reading ${moved}, by price alone${velocity === null ? '' : ` (${velocity})`}.`)),
  ];
}

function missingSentence(evidence: CovenantEvidence): string {
  const notes = new Set(evidence.notes.map(codeOf));
  if (notes.has('live_overlay_on_cost_refused'))
    return 'No live reading: the coins are carried at cost, and a cost cannot be repriced.';
  if (evidence.figures_basis !== 'resolved') return 'No live reading: unproven figures are not repriced.';
  if (notes.has('units_none')) return 'No live reading: the issuer reported that it holds no coins any more.';
  if (evidence.total_crypto_fair_value === '0') return 'No live reading: there are no coins to reprice.';
  if (notes.has('coins_not_split')) return 'No live reading: the coins are not split by kind.';
  return `No live reading: a fresh close of its coins on ${evidence.source_date} is not at hand.`;
}

/** Loans that coins secure, in the order of the row; a call price that is filed comes with its distance. */
export function facilityLines({ ticker, facilities, not_listed: rest }: CovenantEvidence): BriefLine[] {
  const lines = facilities.flatMap((one) => [
    more(`- ${facilitySentence(one)}`),
    ...(one.margin_call_price === null || one.live_price_fall_to_call === null || one.is_subsequent
      ? []
      : [core(`- ${callSentence({ ...one, ticker })}`)]),
  ]);
  return [
    ...lines,
    ...when(rest.facilities > 0, behind(more(`- ${countedText(rest.facilities, 'more loan')}.`))),
  ];
}

function facilitySentence(one: FacilityEvidence): string {
  const on = one.is_subsequent ? `after the period end, on ${one.as_of}` : `at ${one.as_of}`;
  const drawn = one.drawn === null ? 'amount not stated' : `${usdText(one.drawn)} drawn`;
  const limit = one.limit === null ? '' : limitWords(one.limit, one.drawn);
  const ltv = one.ltv === null ? '' : `, loan-to-value ${ratioText(one.ltv)}`;
  const live =
    one.live_ltv === null
      ? ''
      : `, ${ratioText(one.live_ltv)} at the close of ${one.price_date ?? 'the day'} without collateral added since`;
  const trigger =
    one.trigger_ltv === null
      ? '; no trigger is read from the filing'
      : `; the lender may act at a loan-to-value of ${ratioText(one.trigger_ltv)}`;
  return `Loan, ${memberWords(one.name)}, ${on}: ${drawn}${limit}${pledged(one)}${ltv}${live}${trigger}.`;
}

/** More drawn than may be drawn: the filing tags one of the two for another day or line. */
function limitWords(limit: string, drawn: string | null): string {
  const isAbove = drawn !== null && decimalOf(drawn).compare(decimalOf(limit)) > 0;
  return isAbove
    ? `, which does not fit the limit of ${usdText(limit)} tagged beside it,`
    : ` of a limit of ${usdText(limit)}`;
}

function pledged({
  collateral_units: units,
  collateral_asset: asset,
  collateral_value: value,
}: FacilityEvidence): string {
  const worth = value === null ? '' : ` worth ${usdText(value)}`;
  if (asset === null && value === null) return '';
  if (units === null) return ` against ${asset ?? 'coins'}${worth}`;
  return ` against ${countText(units, 2)} coins (${asset ?? 'unnamed'})${worth}`;
}
