import { caveatMeanings, noteMeanings } from '../../data/contract/meanings/noteMeanings.ts';

/** What every brief says of its method (M3.2). */
export const enterpriseCaveat = 'enterprise_level_leverage';

/** Notes of a row that a brief tells in words of its own. */
const ownSentences: Readonly<Record<string, string>> = {
  // without the amount their note carries
  close_missing: 'The sources lack a close of its coins: that of an earlier day stands in, or none does.',
  accession_placeholder: 'The accession number of the filing is not in the inputs.',
  newer_report_due: 'The report after the filing in force is overdue.',
  filing_age: 'The balance sheet is old: more than a quarter and its deadline have passed since.',
  reporting_ended: 'The issuer has ended its reporting; no newer balance sheet will come.',
  pledged_receivable: 'Pledged coins stand as a receivable, outside the coins counted.',
  customer_coins: 'Some of the coins counted are owed to customers.',
  price_conflict: 'Sources of a close do not agree.',
  indirect_exposure: 'Funds or shares that move with a coin are not counted as coins.',
  crypto_unproven: 'The filing may hold more coins than are proven.',
  figures_lower_bound: 'An unproven figure is published as what is proven of it, a lower bound.',
};

/** Notes that bear on how far a reader may trust the figures, gravest first. */
const graveNotes: readonly string[] = [
  'figures_lower_bound',
  'crypto_unproven',
  'zero_debt_unproven',
  'debt_candidates_disagree',
  'financial_institution',
  'no_crypto_denominator',
  'no_crypto',
  'coins_incidental',
  'relevance_unknown',
  'reporting_currency',
  'tier_at_most',
  'tier_depends_on_candidate',
  'accession_placeholder',
  'newer_filing_pending',
  'newer_filing_unusable',
  'newer_report_due',
  'filing_age',
  'reporting_ended',
  'input_kept',
  'live_overlay_on_cost_refused',
  'close_missing',
  'close_refused',
  'subsequent_debt',
  'implied_interest',
  'mezzanine_equity_present',
  'pledged_receivable',
  'customer_coins',
  'indirect_exposure',
  'outside_asu_2023_08',
  'tail_understated',
  'includes_restricted_cash',
  'equity_not_reported',
  'cash_not_reported',
  'unit_price_mismatch',
  'units_partial',
  'face_order_ambiguous',
  'face_order',
  'price_conflict',
];
const mostCaveats = 5;

/** The caveats of an issuer's brief by code: that of the method, then the gravest notes of its row. */
export function issuerCaveats(notes: readonly string[]): string[] {
  const codes = new Set(notes.map(codeOf));
  return [enterpriseCaveat, ...graveNotes.filter((code) => codes.has(code)).slice(0, mostCaveats - 1)];
}

/** The sentence a brief says a caveat with (I2.44). */
export function caveatSentence(code: string): string {
  return ownSentences[code] ?? caveatMeanings[code] ?? noteMeanings[code] ?? `${code.replaceAll('_', ' ')}.`;
}

/** The same in a few words: its code as words, where they say it without a number. */
export function shortCaveat(code: string): string {
  if (code === enterpriseCaveat)
    return 'Enterprise level: no margin call is meant; CRITICAL is no liquidation.';
  return /\d/.test(code) ? caveatSentence(code) : `Caveat: ${code.replaceAll('_', ' ')}.`;
}

/** The code of a note, without the amount, concept or file it names. */
export function codeOf(note: string): string {
  const end = note.indexOf(':');
  return end === -1 ? note : note.slice(0, end);
}
