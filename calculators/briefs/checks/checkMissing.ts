import { caveatSentence } from '../briefCaveats.ts';
import type { CovenantEvidence } from '../covenantEvidence.ts';
import { decimalOf, ratioText, usdText } from '../figureText.ts';
import type { BriefViolation, Checked } from './briefText.ts';
import { namesTier, regimeOf } from './checkWords.ts';

const number = /\d/;

/** What is missing is said, and never told as if it were known; what must be told is there (I2.44 f, h, l). */
export function checkMissing(checked: Checked): BriefViolation[] {
  const { brief, evidence, facts } = checked;
  const { text } = brief;
  const f = (message: string): BriefViolation => ({ rule: 'f', message });
  const l = (message: string): BriefViolation => ({ rule: 'l', message });
  return [
    ...facts.caveats
      .filter((code) => !text.includes(caveatSentence(code)))
      .map((code): BriefViolation => ({ rule: 'h', message: `the caveat ${code} is not told` })),
    ...(text.includes(evidence.source_date) ? [] : [l('the as-of date is missing')]),
    ...(text.includes(ratioText(evidence.reference_covenant_ltv))
      ? []
      : [l('the reference covenant is missing')]),
    ...(regimeOf(evidence) === null &&
    /\bmarket regime (?!of the day|cannot|is not known)/i.test(checked.claims)
      ? [f('the market regime is told and is not known')]
      : []),
    ...(evidence.brief === 'covenant' ? covenantGaps(checked, evidence) : sliceGaps(checked)),
  ];
}

function covenantGaps({ brief, claims }: Checked, evidence: CovenantEvidence): BriefViolation[] {
  const f = (message: string): BriefViolation => ({ rule: 'f', message });
  const violations: BriefViolation[] = [];
  const overlay = withoutDates(brief.sections.get('Live-Price Overlay'));
  if (
    evidence.live === null &&
    (number.test(overlay) || namesTier(overlay) || !/\b(?:no|not|missing|without)\b/i.test(overlay))
  )
    violations.push(f('live readings are told and there are none'));
  if (evidence.figures_basis !== 'resolved') {
    if (!/not proven|unproven|lower bound/i.test(claims))
      violations.push(f('unproven figures are told as if proven'));
    const readings = withoutDates(brief.sections.get('Covenant Stress Readings')).replaceAll(
      ratioText(evidence.reference_covenant_ltv),
      '',
    );
    if (number.test(readings)) violations.push(f('readings of unproven figures are told'));
  }
  if (evidence.breach_probability_1y === null && evidence.live?.live_breach_probability_1y == null)
    if (/(?:chance|probability)[^.\n]*\d %/i.test(claims))
      violations.push(f('a probability is told and is not known'));
  if (evidence.covenant_headroom_50pct === null && evidence.live?.live_covenant_headroom_50pct == null)
    if (/headroom -?\d/i.test(claims)) violations.push(f('a headroom is told and is not known'));
  if (
    evidence.liquidity?.cash_and_equivalents == null &&
    /\bcash (?:of )?USD \d/i.test(claims) &&
    evidence.changes?.new_filing == null
  )
    violations.push(f('cash is told and is not known'));
  return [...violations, ...flowsWithoutMonths(claims, evidence)];
}

/** A flow stands in one sentence with the months it covers (M11.3). */
function flowsWithoutMonths(claims: string, { liquidity }: CovenantEvidence): BriefViolation[] {
  const flow = liquidity?.cash_flow_from_operations ?? null;
  if (flow === null || flow.amount === null || decimalOf(flow.amount).sign === 0) return [];
  const amount = usdText(flow.amount);
  const months = new RegExp(`\\b${flow.months} months?\\b`);
  return claims
    .split(/\n|(?<=[.;])\s/)
    .filter((sentence) => /operat/i.test(sentence) && sentence.includes(amount) && !months.test(sentence))
    .map(() => ({ rule: 'l', message: `the flow of ${amount} stands without its months` }));
}

function sliceGaps({ brief, claims, evidence }: Checked): BriefViolation[] {
  if (evidence.brief === 'covenant') return [];
  const f = (message: string): BriefViolation => ({ rule: 'f', message });
  const {
    btc_24h_change_pct: day,
    btc_7d_change_pct: week,
    live_price_coverage_count: live,
  } = evidence.readiness;
  const violations: BriefViolation[] = [];
  if (day === null && week === null && /\bbitcoin [-+]?\d[^.\n]*%/i.test(claims))
    violations.push(f('a move of bitcoin is told and is not known'));
  if (live === 0 && /\bat live closes\b/i.test(claims))
    violations.push(f('live readings are told and there are none'));
  if (
    evidence.brief === 'morning' &&
    (evidence.changes === null || evidence.changes.comparison_source_date === null)
  ) {
    const section = withoutDates(brief.sections.get('Filing Changes Since Last Slice'));
    if (namesTier(section) || /\bUSD\b/.test(section) || !/\b(?:no|not|nothing)\b/i.test(section))
      violations.push(f('changes are told and there is nothing to compare with'));
  }
  return violations;
}

const withoutDates = (lines: readonly string[] = []) => lines.join('\n').replaceAll(/\d{4}-\d{2}-\d{2}/g, '');
