import type { RiskDistribution } from '../../../data/contract/payloads/universe/riskDistribution.ts';
import { toldChanges } from '../../../data/contract/payloads/universe/toldChanges.ts';
import { countText, percentText } from '../chart/figures.ts';
import { tierOfOne } from '../chart/tierBars.ts';
import type { DailyBriefFacts } from './dailyBriefFacts.ts';

/** What last night found, in one sentence of at most 200 characters: where the issuers stand, and how many moved. */
export function dailyBriefHeadline({ risk, changes, sourceDate }: DailyBriefFacts): string {
  const shown = risk.shown;
  const { total } = shown.meta;
  if (total === 0) return `No issuer has a filing in force on ${sourceDate}`;
  const moves = changes.risk_tier_moves?.length ?? 0;
  // moves are of the tiers by the filings, independent of the count before them
  const basis = shown.meta.basis === 'live' ? ' by filing' : '';
  return `${standing(shown)}${moves === 0 ? '' : `; ${counted(moves, 'issuer')} changed tier${basis}`}`;
}

function standing(shown: RiskDistribution): string {
  const { total } = shown.meta;
  const of = `${countText(total)} ${total === 1 ? 'issuer' : 'issuers'}`;
  for (const tier of ['CRITICAL', 'HIGH', 'MODERATE'] as const) {
    const { count } = shown[tier];
    if (count > 0)
      return total === 1
        ? `The one issuer of the slice sits in the ${tier} tier ${basisWords(shown)}`
        : `${countText(count)} of ${of} ${count === 1 ? 'sits' : 'sit'} in the ${tier} tier ${basisWords(shown)}`;
  }
  if (shown.LOW.count > 0 && total === 1) return `The one issuer of the slice is LOW ${basisWords(shown)}`;
  if (shown.LOW.count > 0)
    return `No issuer is above the LOW tier ${basisWords(shown)}: ${countText(shown.LOW.count)} of ${of} ${shown.LOW.count === 1 ? 'is' : 'are'} LOW`;
  return total === 1 ? 'The one issuer of the slice cannot be classified' : `None of ${of} can be classified`;
}

/** On which prices tiers are counted, in words. */
export function basisWords({ meta }: RiskDistribution): string {
  return meta.basis === 'live' ? 'at live prices' : 'by the filings';
}

/** What stands behind the headline: the count by the filings, the coins, the regime, what was filed. */
export function dailyBriefLede(facts: DailyBriefFacts): string {
  const { readiness } = facts;
  const sentences = [
    filingSentence(facts),
    coinSentence(readiness.btc_7d_change_pct ?? null, readiness.market_regime ?? null),
    changeSentence(facts),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function filingSentence({ risk: { filing, shown }, coins, sourceDate }: DailyBriefFacts): string {
  if (shown.meta.total === 0) return '';
  if (filing === null) {
    const hasClose = coins.some(({ closes }) =>
      closes.some(({ date, close }) => date === sourceDate && close !== null),
    );
    return hasClose
      ? 'No issuer has proven coins that a close of the day reprices.'
      : 'No coin was repriced: the closes of the day are missing.';
  }
  if (filing.meta.total === 1) return `By its filing it is ${tierOfOne(filing)}.`;
  const tier = (['CRITICAL', 'HIGH', 'MODERATE'] as const).find((one) => shown[one].count > 0);
  if (tier === undefined) return '';
  const [now, filed] = [shown[tier].count, filing[tier].count];
  if (now === filed) return `By the filings alone as many are ${tier}.`;
  return filed === 0
    ? `By the filings alone none is ${tier}.`
    : `By the filings alone ${counted(filed, 'issuer')} ${filed === 1 ? 'is' : 'are'} ${tier}.`;
}

function coinSentence(week: number | null, regime: string | null): string {
  const state =
    regime === null ? 'no market regime can be read' : `the market regime is ${regimeName(regime)}`;
  if (week === null) return `The seven-day change of bitcoin is not known; ${state}.`;
  const way = week < 0 ? 'fell' : 'rose';
  return week === 0
    ? `Bitcoin is where it was seven days ago; ${state}.`
    : `Bitcoin ${way} by ${percentText(Math.abs(week))} in seven days; ${state}.`;
}

/** A regime as words: `high synchronization risk`. */
export function regimeName(regime: string): string {
  const words: Readonly<Record<string, string>> = { vol: 'volatility', low: 'low', high: 'high' };
  const [first = '', ...rest] = regime.split('_');
  if (first !== 'bullish' && first !== 'bearish') return [first, ...rest].join(' ');
  return `${first}, ${rest.map((word) => words[word] ?? word).join(' ')}`;
}

function changeSentence({ comparedWith, changes }: DailyBriefFacts): string {
  if (comparedWith === null)
    return 'The archive was read for the first time, so no change of filed facts is known.';
  const { company_count: ours, new_company_count: added, other_company_count: others } = toldChanges(changes);
  const rest = others === 0 ? '' : `; outside it ${counted(others, 'company', 'companies')} did`;
  if (ours === 0) return `No company of the universe changed its filed facts${rest}.`;
  const earlier =
    changes.daily_change_selector_status === 'rolled_back_to_promoted_issuer_delta'
      ? ` in the last delta that passed the gate${dated(changes.meaningful_tracked_crypto_delta_source_date)}`
      : '';
  const fresh = added === 0 ? '' : `, ${countText(added)} of them new`;
  return `${counted(ours, 'company', 'companies')} of the universe changed filed facts${fresh}${earlier}${rest}.`;
}

const dated = (date: string | undefined) => (date === undefined ? '' : `, of ${date}`);

/** A count with its noun: `1 issuer`, `12 issuers`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
