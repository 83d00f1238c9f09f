import type { UnrankedReason } from '../values/enums.ts';
import words from './words.json' with { type: 'json' };

/** What of a row decides whether it has a tier, as printed; null where the row does not say it. */
export type TierEvidence = {
  readonly tier: string | null;
  readonly basis: string | null;
  readonly relevance: string | null;
  readonly quality: string | null;
  readonly period: string | null;
  readonly sourceDate: string | null;
  readonly notes: readonly string[];
};

/** Why a row has no tier, and what would give it one; both continue a sentence and hold no number. */
export type Untiered = { readonly why: string; readonly remedy: string };

/** The reason of an UNCLASSIFIED row, the gravest first (M3.10); null of a row with a tier. */
export function untieredOf(row: TierEvidence): Untiered | null {
  if (row.tier !== 'UNCLASSIFIED') return null;
  const noted = new Set(row.notes.map((note) => note.split(':')[0]));
  if (noted.has('financial_institution')) return reasons.institution;
  const unproven = row.basis === null ? undefined : unprovenReasons[row.basis];
  if (unproven !== undefined) return unproven;
  if (row.relevance === 'none' || noted.has('no_crypto') || noted.has('no_crypto_denominator')) {
    return reasons.coinless;
  }
  if (row.relevance === 'incidental') return reasons.incidental;
  if (noted.has('tier_at_most')) return reasons.atCost;
  if (isStale(row)) return reasons.stale;
  if (row.relevance === null) return reasons.unweighed;
  return row.quality === 'Low' ? reasons.contradicted : reasons.vehicle;
}

/** True where the ratio of a row measures nothing: figures are not proven, or there are no coins (M3.3, M3.3c). */
export function isUnmeasured({ basis, relevance, notes }: TierEvidence): boolean {
  const coinless = ['no_crypto', 'no_crypto_denominator'];
  return (
    (basis !== null && basis !== 'resolved') ||
    relevance === 'none' ||
    notes.some((note) => coinless.includes(note))
  );
}

/** More than 400 days (M3.10), by the days of the row itself. */
function isStale({ period, sourceDate }: TierEvidence): boolean {
  if (period === null || sourceDate === null) return false;
  return Date.parse(sourceDate) - Date.parse(period) > 400 * 86_400_000;
}

/** Why a tier is one notch worse than its ratio, as a clause; empty without a reason (M3.9). */
export function notchWords(tierReasons: readonly string[]): string {
  return tierReasons.map((reason) => notches[reason] ?? reason).join(' and ');
}

const notches: Readonly<Record<string, string>> = words.notches;

const reasons = words.untiered;

const unprovenReasons: Readonly<Record<string, Untiered>> = words.unproven;

/** Why an issuer is in no ranking, as a clause. */
export const unrankedWords: Readonly<Record<UnrankedReason, string>> = words.unranked;
