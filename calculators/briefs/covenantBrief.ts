import type { BriefStyle } from '../../data/contract/values/enums.ts';
import {
  type BriefLine,
  behind,
  core,
  detail,
  leading,
  more,
  must,
  type SectionLines,
  when,
} from './briefLines.ts';
import type { FilingMove } from './changeEvidence.ts';
import { filingMoveSentence, loanSentence } from './changeSentences.ts';
import type { CovenantEvidence } from './covenantEvidence.ts';
import { facilityLines, overlayLines } from './covenantLines.ts';
import { countedText, countText, ratioText, shareText, usdText } from './figureText.ts';
import { codeWords, listed, plainText } from './plainText.ts';
import {
  caveatLines,
  filingText,
  headroomWords,
  ofItsCoins,
  scaleSentence,
  tierSentence,
} from './sharedSentences.ts';

/** The sections of a brief on the covenant stress of one issuer (I2.42). */
export function covenantBrief(evidence: CovenantEvidence, style: BriefStyle): SectionLines<'covenant'> {
  return {
    'Issuer Snapshot': snapshotLines(evidence),
    'Covenant Stress Readings': readingLines(evidence),
    'Live-Price Overlay': overlayLines(evidence),
    'Filing Evidence': evidenceLines(evidence, style),
    'Limits of the Evidence': [
      ...caveatLines(evidence.caveats),
      ...missingLines(evidence),
      detail(`- ${scaleSentence(evidence)}`),
    ],
    'Next Checks': checkLines(evidence),
  };
}

const unprovenDebt = ({ figures_basis: basis }: CovenantEvidence) =>
  basis === 'debt_unproven' || basis === 'both_unproven';
const unprovenCoins = ({ figures_basis: basis }: CovenantEvidence) =>
  basis === 'crypto_unproven' || basis === 'both_unproven';

function snapshotLines(evidence: CovenantEvidence): BriefLine[] {
  const { changes } = evidence;
  const move = changes?.new_filing ?? null;
  return [
    must(headSentence(evidence)),
    behind(must(tierLine(evidence))),
    ...when(move !== null && move.new_tier !== null, leading(core(tierMoveSentence(evidence, move)))),
    ...debtSplit(evidence),
    ...coinLines(evidence),
    ...liquidityLines(evidence),
    ...standingLines(evidence),
  ];
}

/** What a new filing made of the tier; classified for the first time, or no longer, is neither better nor worse. */
function tierMoveSentence({ ticker, changes }: CovenantEvidence, move: FilingMove | null): string {
  const [from, to] = [move?.prior_tier ?? '', move?.new_tier ?? ''];
  const before = changes?.comparison_source_date ?? '';
  const since = `in the slice of ${before}`;
  if (from === 'UNCLASSIFIED') return `A new filing classifies ${ticker} as ${to}; it was ${from} ${since}.`;
  if (to === 'UNCLASSIFIED') return `A new filing leaves ${ticker} ${to}; it was ${from} ${since}.`;
  return `A new filing moved the tier of ${ticker} from ${from} to ${to} since the slice of ${before}.`;
}

/** Who owes how much against which coins, and on which day. */
function headSentence(evidence: CovenantEvidence): string {
  const { ticker, entity_name: name, period } = evidence;
  const who = name === ticker ? ticker : `${plainText(name)} (${ticker})`;
  const on = period === null ? '' : ` at ${period}`;
  if (evidence.total_long_term_debt === '0' && evidence.total_crypto_fair_value === '0') {
    if (unprovenDebt(evidence) && unprovenCoins(evidence))
      return `Neither debt nor coins of ${who} are proven${on}.`;
    if (!isUnproven(evidence)) return `${who} shows neither debt nor coins${on}.`;
  }
  return `${who} shows ${debtWords(evidence)} against ${coinWords(evidence)}${on}.`;
}

function debtWords(evidence: CovenantEvidence): string {
  const { total_long_term_debt: debt } = evidence;
  if (unprovenDebt(evidence))
    return debt === '0' ? 'debt that is not proven' : `proven debt of ${usdText(debt)} and perhaps more`;
  return debt === '0' ? 'no debt' : `debt of ${usdText(debt)}`;
}

function coinWords(evidence: CovenantEvidence): string {
  const { total_crypto_fair_value: coins } = evidence;
  if (unprovenCoins(evidence))
    return coins === '0' ? 'coins that are not proven' : `proven coins of ${usdText(coins)} and perhaps more`;
  return coins === '0' ? 'no coins' : `coins of ${usdText(coins)}`;
}

const reasonWords: Readonly<Record<string, string>> = {
  shocked_equity_negative: 'equity does not survive the fall',
  adverse_resonance: 'market pressure adds to its own',
};

function tierLine({ risk_tier: tier, risk_tier_reasons: reasons }: CovenantEvidence): string {
  const why = reasons.map((reason) => reasonWords[reason] ?? codeWords(reason));
  const notched = why.length === 0 ? '' : `, one notch worse because ${listed(why)}`;
  return `Its risk tier is ${tier}${notched}. ${tierSentence}`;
}

function debtSplit(evidence: CovenantEvidence): BriefLine[] {
  const { current_debt: current, noncurrent_debt: noncurrent, total_long_term_debt: debt } = evidence;
  if (current === null || noncurrent === null || debt === '0' || unprovenDebt(evidence)) return [];
  if (current === '0') return [more('- Debt: none of it is due within a year.')];
  if (noncurrent === '0') return [more('- Debt: all of it is due within a year.')];
  return [more(`- Debt: ${usdText(current)} due within a year, ${usdText(noncurrent)} later.`)];
}

function coinLines(evidence: CovenantEvidence): BriefLine[] {
  const { crypto_share_of_assets: share, treasury_relevance: relevance, net_debt_to_coins: net } = evidence;
  const { bitcoin_units_held: bitcoin, ethereum_units_held: ether } = evidence;
  const units = [
    ...(bitcoin === null ? [] : [`${countText(bitcoin, 2)} bitcoin`]),
    ...(ether === null ? [] : [`${countText(ether, 2)} ether`]),
  ];
  const isFiled = ['reported_quantity', 'fair_value_disclosed'].includes(evidence.crypto_units_basis ?? '');
  const basis = isFiled ? 'as filed' : 'estimated from their value';
  return [
    ...when(
      share !== null && relevance !== null && relevance !== 'none',
      more(
        `- Coins are ${shareText(share ?? 0)} of assets (${relevance ?? ''})${units.length === 0 ? '' : `: ${listed(units)}, ${basis}`}.`,
      ),
    ),
    ...when(
      net !== null && relevance !== 'incidental',
      more(
        `- Debt less cash is ${ratioText(net ?? 0)} of the coins${(net ?? 0) < 0 ? ', so cash exceeds debt' : ''}.`,
      ),
    ),
  ];
}

function liquidityLines({ liquidity }: CovenantEvidence): BriefLine[] {
  if (liquidity === null) return [];
  const { cash_and_equivalents: cash, cash_flow_from_operations: flow } = liquidity;
  const flowText =
    flow === null || flow.amount === null
      ? null
      : `operating cash flow ${usdText(flow.amount)} over ${flow.months} ${flow.months === 1 ? 'month' : 'months'} to ${flow.end}`;
  const parts = [
    ...(cash === null ? [] : [`cash ${usdText(cash)}`]),
    ...(flowText === null ? [] : [flowText]),
  ];
  return parts.length === 0 ? [] : [more(`- Liquidity: ${parts.join('; ')}.`)];
}

function standingLines(evidence: CovenantEvidence): BriefLine[] {
  const { peer_rank: rank, peer_count: peers, board_rank: board, alpha_score: score } = evidence;
  return [
    ...when(
      rank !== null && peers !== null,
      more(`- Rank ${rank ?? ''} of ${peers ?? ''} by stress, where the first is the most stressed.`),
    ),
    ...when(
      score !== null,
      detail(
        `- Alpha score ${score ?? ''} of ${evidence.alpha_score_max}${board === null ? ', off the opportunity board' : `, place ${board} on the opportunity board`}.`,
      ),
    ),
  ];
}

function readingLines(evidence: CovenantEvidence): BriefLine[] {
  const { reference_covenant_ltv: reference, stress_50pct: stress, total_long_term_debt: debt } = evidence;
  const against = `the reference covenant of ${ratioText(reference)}`;
  if (evidence.total_crypto_fair_value === '0' || isUnproven(evidence))
    return [must(noReadingSentence(evidence)), must(`The yardstick is ${against}.`)];
  if (debt === '0')
    return [must(`Without filed debt every reading is 0.00 and no fall of coins reaches ${against}.`)];
  const headroom = evidence.covenant_headroom_50pct;
  const room =
    headroom === null ? `; its distance to ${against} is not given` : `, ${headroomWords(headroom, against)}`;
  const { breach_probability_1y: breach, shocked_equity_50pct: equity } = evidence;
  const others = `After 30 %: ${ratioText(evidence.stress_30pct)}. After 70 %: ${ratioText(evidence.stress_70pct)}.`;
  if (evidence.treasury_relevance === 'incidental')
    return [
      must(
        `Its coins are a small part of its assets, so what follows is a ratio and no reading of its solvency: after a 50 % fall its debt is ${ofItsCoins(stress)}.`,
      ),
      must(`The yardstick is ${against}.`),
      behind(more(`- ${others}`)),
    ];
  return [
    must(`After a 50 % fall its debt is ${ofItsCoins(stress)}${room}.`),
    behind(core(`- ${others}`)),
    ...when(breach !== null, more(`- ${breachSentence(breach ?? 0, evidence.discharge_risk)}`)),
    ...when(equity !== null, more(`- Equity after the 50 % fall: ${usdText(equity ?? '0')}.`)),
    ...when(equity === null, more('- Equity after the fall is not known.')),
  ];
}

/** A certain touch is no forecast: the debt stands there already (M3.8). */
function breachSentence(breach: number, band: string | null): string {
  const chance = `${shareText(breach)} (${band ?? 'no band'})`;
  return breach === 1
    ? `Its debt stands at or above the reference covenant without any fall: modelled chance to touch it ${chance}.`
    : `Modelled chance to touch the reference covenant within a year: ${chance}.`;
}

const isUnproven = ({ figures_basis: basis }: CovenantEvidence) => basis !== 'resolved';

function noReadingSentence(evidence: CovenantEvidence): string {
  if (isUnproven(evidence)) {
    const what =
      unprovenDebt(evidence) && unprovenCoins(evidence)
        ? 'Debt and coins are'
        : unprovenDebt(evidence)
          ? 'Debt is'
          : 'Coins are';
    return `${what} not proven, so no stress reading can be trusted and none is given; the published ratio rests on lower bounds.`;
  }
  return evidence.total_long_term_debt === '0'
    ? 'There are neither debt nor coins, so there is nothing to stress.'
    : 'No reading: without coins the ratio stands at its cap.';
}

const reports = /^(?:10-[KQS]T?|20-F|40-F|6-K|8-K|[SF]-\d{1,2}|424B\d)(?:\/A)?$/;

function evidenceLines(evidence: CovenantEvidence, style: BriefStyle): BriefLine[] {
  const { changes } = evidence;
  const move = changes?.new_filing ?? null;
  // forms such as 4 or SCHEDULE 13G read as figures
  const recent = evidence.recent_filings.filter(({ form }) => reports.test(form));
  return [
    core(`- In force: ${filingText(evidence, style !== 'concise')}${ageWords(evidence)}.`),
    core(`- Debt read from ${sourceWords(evidence)}; quality ${evidence.quality_flag}.`),
    ...when(
      evidence.debt_concepts.length > 0,
      detail(
        `- Debt lines: ${evidence.debt_concepts.map(({ concept, amount, side }) => `${concept} ${usdText(amount)} ${side}`).join('; ')}${evidence.not_listed.debt_concepts === 0 ? '' : `; ${countText(evidence.not_listed.debt_concepts)} more`}.`,
      ),
    ),
    ...when(
      changes?.is_new === true,
      more(`- New in the slice: the one of ${changes?.comparison_source_date ?? ''} had no row of it.`),
    ),
    ...(move === null ? [] : [leading(more(`- New in force: ${filingMoveSentence(move, 'professional')}`))]),
    ...(changes?.loans ?? []).map((loan) => detail(`- ${loanSentence(loan)}`)),
    ...facilityLines(evidence),
    ...when(
      recent.length > 0,
      detail(`- Newest filings: ${recent.map(({ form, date }) => `${form} of ${date}`).join(', ')}.`),
    ),
  ];
}

function ageWords(evidence: CovenantEvidence): string {
  const { filing_age_days: days, source_date: date, next_report_due: due } = evidence;
  if (days === null) return '';
  const overdue = due !== null && due < date ? `; the report after it was due ${due}` : '';
  return `, its period end ${countedText(days, 'day')} before ${date}${overdue}`;
}

function sourceWords({
  data_source: source,
  debt_coverage_status: coverage,
  notes,
}: CovenantEvidence): string {
  const found = coverage === 'low_confidence_missing_debt' ? ', which leaves part of it unproven' : '';
  const words: Readonly<Record<string, string>> = {
    linkbase_rollup: 'the calculation linkbase of the filing',
    linkbase_rooted_facts: 'single facts below the roots of the calculation linkbase',
    direct_facts_fallback: `${notes.includes('face_order') ? 'the order of the balance sheet' : 'single facts'}, without a calculation linkbase`,
  };
  return `${words[source] ?? codeWords(source)}${found}`;
}

/** What the evidence lacks, reported as missing (I2.44). */
function missingLines({
  liquidity,
  live,
  facilities,
  net_debt_to_coins: net,
  shocked_equity_50pct: equity,
}: CovenantEvidence): BriefLine[] {
  const missing = [
    ...(liquidity === null || liquidity.cash_and_equivalents === null ? ['cash'] : []),
    ...((liquidity?.total_equity ?? equity) === null ? ['equity'] : []),
    ...(liquidity?.cash_flow_from_operations == null ? ['operating cash flow'] : []),
    ...(net === null ? ['net debt against coins'] : []),
    ...(live === null ? ['live readings'] : []),
  ];
  return [
    ...when(missing.length > 0, more(`- Missing in the evidence: ${listed(missing)}.`)),
    ...when(
      facilities.length === 0,
      more('- The filing tags no loan secured by coins, which does not prove that there is none.'),
    ),
    ...when(
      facilities.some(({ is_subsequent: isSubsequent }) => isSubsequent),
      must('- What was borrowed after the period end is in no reading.'),
    ),
  ];
}

function checkLines(evidence: CovenantEvidence): BriefLine[] {
  const form = evidence.filing_form ?? 'filing';
  const crossed = evidence.facilities.some(({ live_price_fall_to_call: fall }) => fall !== null && fall <= 0);
  const hasNoCoins = evidence.total_crypto_fair_value === '0' && !unprovenCoins(evidence);
  const checks = [
    ...when(
      crossed,
      core('- Look for collateral added since the period end: a call price is already crossed.'),
    ),
    ...when(
      unprovenDebt(evidence) || unprovenCoins(evidence),
      core(`- Prove what is missing by hand in the notes of the ${form}.`),
    ),
    ...when(
      hasNoCoins,
      core(`- Confirm in the notes of the ${form} that no coins stand outside the lines of coins.`),
    ),
    ...when(
      evidence.total_long_term_debt !== '0' && !hasNoCoins,
      core(
        `- Read maturities, security and covenants in the debt note of the ${form}: ${ratioText(evidence.reference_covenant_ltv)} is a yardstick and no term of its loans.`,
      ),
    ),
    ...when(
      evidence.total_long_term_debt === '0' && !isUnproven(evidence),
      core(`- Confirm in the notes of the ${form} that no borrowing stands outside the debt lines.`),
    ),
    ...when(
      evidence.live === null && evidence.total_crypto_fair_value !== '0',
      more('- Price the coins by hand before any comparison with today.'),
    ),
  ];
  return checks.some(({ level }) => level < 2)
    ? checks
    : [core('- Nothing in the evidence asks for a check.'), ...checks];
}
