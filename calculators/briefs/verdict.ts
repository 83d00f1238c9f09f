import {
  isUnmeasured,
  notchWords,
  type TierEvidence,
  untieredOf,
} from '../../data/contract/meanings/untiered.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { ratioText, shareText } from './figureText.ts';
import { ofItsCoins } from './sharedSentences.ts';

/** A row of the warehouse as it was published, numbers as exact decimals. */
export type StressMembers = Readonly<Record<string, unknown>>;

/** The verdict on one issuer in a sentence: its tier and why, or why there is none and what would give one (M3.10). */
export function verdictSentence(name: string, row: StressMembers): string {
  const evidence = tierEvidence(row);
  const untiered = untieredOf(evidence);
  if (untiered !== null) {
    const { why, remedy } = untiered;
    return `${name} has no tier: ${why}; ${remedy}.`;
  }
  const reasons = notchWords(texts(row['risk_tier_reasons']));
  const notch = reasons === '' ? '' : `, one notch worse because ${reasons}`;
  const live = text(row['live_risk_tier']);
  const moved =
    live === null || live === evidence.tier
      ? ''
      : ` At the closes of ${text(row['source_date'])} it is ${live}.`;
  return `${name} is ${evidence.tier}: after a 50 % fall its debt is ${ofItsCoins(number(row['stress_50pct']))}${notch}.${moved}`;
}

/** The reading as filed, or what stands in its place; nothing is said to be a share of coins that are not proven. */
export function filedReading(row: StressMembers): string {
  const unmeasured = unmeasuredRatio(row);
  if (unmeasured !== null) return `as filed: ${unmeasured}`;
  const stress = number(row['stress_50pct']);
  const reading = `as filed: debt is ${stress} ${stress >= 1 ? 'times' : 'of'} the coins after a 50 % fall`;
  return row['treasury_relevance'] === 'incidental'
    ? `${reading}; the coins are ${shareText(figure(row['crypto_share_of_assets']))} of its assets, so that is no reading of its solvency`
    : `${reading}, risk tier ${text(row['risk_tier'])}`;
}

/** What the ratio, which every row has, is where it measures nothing; null where it is a reading (M3.3, M3.3c). */
export function unmeasuredRatio(row: StressMembers): string | null {
  const evidence = tierEvidence(row);
  if (!isUnmeasured(evidence)) return null;
  const published = ratioText(figure(row['stress_50pct']));
  if (evidence.basis !== 'resolved') return `no reading, the published ${published} rests on lower bounds`;
  return number(row['stress_50pct']) === 0
    ? 'no reading, there are neither debt nor coins'
    : `no reading, there are no coins and the published ${published} is the cap`;
}

function tierEvidence(row: StressMembers): TierEvidence {
  return {
    tier: text(row['risk_tier']),
    basis: text(row['figures_basis']),
    relevance: text(row['treasury_relevance']),
    quality: text(row['quality_flag']),
    period: text(row['period']),
    sourceDate: text(row['source_date']),
    notes: texts(row['data_quality_notes']),
  };
}

const text = (value: unknown) => (value === undefined || value === null ? null : String(value));
const texts = (value: unknown) => (Array.isArray(value) ? value.map(String) : []);
const figure = (value: unknown) => (value instanceof ExactDecimal ? value.toString() : Number(value ?? 0));
const number = (value: unknown) => Number(figure(value));
