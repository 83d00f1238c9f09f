import type { UnrankedReason } from '../values/enums.ts';

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

const notches: Readonly<Record<string, string>> = {
  shocked_equity_negative: 'equity does not survive the fall',
  adverse_resonance: 'market pressure adds to its own',
};

const reasons = {
  institution: {
    why: 'deposits are its business, so its debt is not measured this way',
    remedy: 'no filing of a bank or broker gives one',
  },
  coinless: {
    why: 'it holds no coins to set debt against',
    remedy: 'coins of a tenth of its assets would give one',
  },
  incidental: {
    why: 'its coins are less than a tenth of its assets',
    remedy: 'coins of a tenth of its assets would give one',
  },
  atCost: {
    why: 'its coins are carried at cost, which proves no tier but LOW',
    remedy: 'their fair value would give one',
  },
  stale: {
    why: 'its balance sheet is more than thirteen months old',
    remedy: 'a newer report would give one',
  },
  unweighed: {
    why: 'its total assets are not known, so neither is the weight of its coins',
    remedy: 'filed total assets would give one',
  },
  contradicted: {
    why: 'amounts of its filing contradict each other, or it is a vehicle for coins',
    remedy: 'a filing whose amounts agree would give a company one',
  },
  vehicle: { why: 'it is a vehicle for coins and no company that holds them', remedy: 'nothing gives one' },
} as const satisfies Readonly<Record<string, Untiered>>;

const unprovenReasons: Readonly<Record<string, Untiered>> = {
  debt_unproven: {
    why: 'its debt is not proven',
    remedy: 'liabilities that add up line by line, or a total of debt that its parts confirm, would give one',
  },
  crypto_unproven: {
    why: 'its coins are not proven',
    remedy: 'assets that add up line by line, or a total of coins that its parts confirm, would give one',
  },
  both_unproven: {
    why: 'neither its debt nor its coins are proven',
    remedy: 'a balance sheet that adds up line by line on both sides would give one',
  },
};

/** Why an issuer is in no ranking, as a clause. */
export const unrankedWords: Readonly<Record<UnrankedReason, string>> = {
  issuer_type: 'companies of its type are not ranked',
  universe_small: 'too few issuers can be ranked',
  no_crypto: 'it holds no coins to set debt against',
  low_confidence_debt: 'its debt is not proven',
  stale: 'its balance sheet is too old',
  anomalous_low_quality: 'amounts of its filing contradict each other',
  no_row: 'it has no row in the slice',
  figures_unproven: 'debt or coins are not proven',
  coins_incidental: 'its coins are less than a tenth of its assets',
  relevance_unknown: 'its total assets are not known',
};
