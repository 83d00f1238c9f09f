import { notchWords, type TierEvidence, untieredOf } from '../../../data/contract/meanings/untiered.ts';
import type { CovenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { capital, countText, stressText } from '../chart/figures.ts';

/** The verdict on an issuer: the tier on each basis in the headline, the ratio on each basis in the lede (V57). */
export function issuerVerdict(stress: CovenantStress): { readonly headline: string; readonly lede: string } {
  const name = stress.entity_name ?? stress.ticker;
  const untiered = untieredOf(evidenceOf(stress));
  if (untiered !== null) {
    const { why, remedy } = untiered;
    return {
      headline: `${name} has no tier: ${why}`,
      lede: joined([`${capital(remedy)}.`, balanceSheet(stress), due(stress)]),
    };
  }
  const { risk_tier: filed, live_risk_tier: live = null } = stress;
  const tiers =
    live === null
      ? `${filed} by its filing; no live price`
      : live === filed
        ? `${live} at live prices and by its filing`
        : `${live} at live prices, ${filed} by its filing`;
  return {
    headline: `${name} is ${tiers}`,
    lede: joined([ratios(stress), notches(stress), due(stress)]),
  };
}

function ratios(stress: CovenantStress): string {
  const { stress_50pct: filed, live_stress_50pct: live = null, source_date: day } = stress;
  if (filed === 0 && (live ?? 0) === 0) return `It has no financial debt. ${balanceSheet(stress)}`;
  const byFiling = `${ofTheCoins(filed)} by the ${sheetWords(stress)}`;
  const then = live === null ? byFiling : `${ofTheCoins(live)} at the closes of ${day} and ${byFiling}`;
  return `After a fall of 50\u00a0% debt is ${then}.`;
}

const ofTheCoins = (ratio: number) => `${stressText(ratio)} ${ratio >= 1 ? 'times' : 'of'} the coins`;

function sheetWords({ filing_form: form, period, filed, filing_age_days: days }: CovenantStress): string {
  if (period === undefined) return 'balance sheet, whose date is not known';
  const age = days === undefined ? '' : `, ${countText(days)} ${days === 1 ? 'day' : 'days'} old`;
  return `balance sheet of ${period}${age} (${form ?? 'form unknown'}${filed == null ? '' : `, filed ${filed}`})`;
}

function balanceSheet(stress: CovenantStress): string {
  return `${capital(sheetWords(stress))}.`;
}

/** Why a tier is worse than its ratio, on the basis it is worse on; null where neither is. */
function notches({ risk_tier_reasons: filed = [], live_risk_tier_reasons: live }: CovenantStress) {
  const [byFiling, atClose] = [notchWords(filed), notchWords(live ?? [])];
  const worse = 'one notch worse than its ratio because';
  if (byFiling !== '' && byFiling === atClose)
    return `Both tiers are one notch worse than their ratios because ${byFiling}.`;
  const sentences = [
    ...(atClose === '' ? [] : [`The live tier is ${worse} ${atClose}.`]),
    ...(byFiling === '' ? [] : [`The tier by the filing is ${worse} ${byFiling}.`]),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}

/** When the next report is due; of one that is late, that it is. */
function due({ next_report_due: day, source_date: sourceDate }: CovenantStress): string | null {
  if (day == null) return null;
  return day < sourceDate
    ? `The next report was due by ${day} and is not in the archive.`
    : `The next report is due by ${day}.`;
}

const evidenceOf = (stress: CovenantStress): TierEvidence => ({
  tier: stress.risk_tier,
  basis: stress.figures_basis ?? null,
  relevance: stress.treasury_relevance ?? null,
  quality: stress.quality_flag,
  period: stress.period ?? null,
  sourceDate: stress.source_date,
  notes: stress.data_quality_notes ?? [],
});

const joined = (sentences: readonly (string | null)[]) =>
  sentences.filter((sentence) => sentence !== null).join(' ');
