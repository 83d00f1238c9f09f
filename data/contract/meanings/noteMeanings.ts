import { ExactDecimal } from '../values/exactDecimal.ts';

/** What each code of `data_quality_notes` says, in a sentence; what follows its colon is the amount, concept or file meant. */
export const noteMeanings: Readonly<Record<string, string>> = {
  filing_age: 'The balance sheet is that many days old on the slice’s date.',
  newer_report_due:
    'By law the report after this one was due by that day; the row still rests on the older balance sheet.',
  reporting_ended: 'The issuer ended its reporting that day by Form 15; no newer report is due.',
  acceptance_estimated: 'The instant of acceptance is not known; the end of the filing date stands for it.',
  accession_placeholder:
    'The inputs do not know the accession number of the filing; the one shown is made up.',
  carrying_below_principal: 'Debt is carried more than 5 % below the principal that is owed.',
  cash_not_reported: 'The filing states no cash.',
  close_missing: 'No source gives the close of a day; the day before stands for it, or nothing.',
  close_refused: 'A close was not plausible and is not used.',
  coins_gap: 'The issuer reports coins since its last number that no purchase or sale it reported explains.',
  coins_in_lines: 'Coins stand inside balance-sheet lines that are not named for them.',
  coins_incidental:
    'Coins are less than a tenth of the assets: no tier, headroom, charge level or chance of a breach is drawn.',
  coins_not_split:
    'The coins are not split by kind, or by kinds that nothing here prices; they were not repriced.',
  coins_outside_total: 'Coins of this amount stand outside the total that is counted.',
  companyfacts_behind:
    'SEC’s companyfacts do not have this filing yet; the figures are read from its own files.',
  companyfacts_contradicted: 'SEC’s companyfacts states another value than the filing itself.',
  crypto_candidates_disagree:
    'The filing gives totals of coins that contradict each other; the smaller one is kept.',
  crypto_unproven: 'The filing may hold more coins than the amount shown.',
  customer_coins: 'Coins of this amount are inside the total and owed to customers.',
  cyclic_network: 'A calculation network of the filing leads back to itself.',
  debt_candidates_disagree: 'The filing gives totals of debt that differ.',
  debt_exceeds_liabilities: 'Debt is larger than the liabilities that were filed.',
  debt_line_misfiled: 'A debt line is filed in another currency or for another day, and is not counted.',
  debt_line_unconfirmed: 'A line may be debt, and nothing in the filing confirms or refutes it.',
  debt_since_period:
    'Debt reported since has no amount, so filed coins count, or its bounds give two tiers, of which the worse is shown.',
  dominant_asset: 'Which coin dominates the holdings follows from what is known of them.',
  equity_not_reported: 'The filing states no equity.',
  exhibit_contradicts_body:
    'A current report and its exhibit state different numbers for one day; neither is used.',
  exhibit_missing: 'A current report names an exhibit that is not at hand.',
  face_order:
    'Debt was read from the order of the balance sheet, because the filing has no calculation network.',
  face_order_ambiguous: 'The order of the balance sheet can be read in more than one way.',
  figures_lower_bound: 'The figure is what is proven, a lower bound.',
  filing_date_statutory: 'The filing date is the last day the filer is in time, because the source has none.',
  filing_incomplete: 'A file of the filing is not at hand.',
  filing_unusable: 'A file of the filing is at hand and cannot be used.',
  financial_institution: 'Deposits are the business of the issuer, so its debt is not measured this way.',
  gate_history_short: 'Too few nights are known to compare the size of the change with.',
  implied_interest: 'The interest paid implies more debt than was found.',
  includes_finance_lease: 'Finance leases are inside the debt and cannot be taken off.',
  includes_restricted_cash: 'Restricted cash is inside the cash figure.',
  inconsistent_duplicate: 'The filing states a fact twice with different values.',
  indirect_exposure: 'Funds or shares of this amount move with a coin and are not coins of the issuer.',
  input_kept:
    'An input was missing, refused or damaged on the night; what an earlier night read of it stands in.',
  liabilities_residual: 'Liabilities of this amount are in no line that was read.',
  live_equals_filing:
    'The coins were not repriced at the slice’s day; the live figure is that of the filing.',
  live_overlay_on_cost_refused: 'Coins are carried at cost, so they were not repriced.',
  member_line: 'An asset line is filed with a member only; it is the one that makes the assets add up.',
  mezzanine_equity_present:
    'Preferred or other redeemable equity is filed between debt and equity, outside the debt.',
  mix_assumed: 'The coins are taken as this one: units of it at the close fit their value.',
  negative_equity_nondebt: 'Equity is negative without debt being the reason.',
  newer_filing_pending:
    'A newer report is filed and its figures are not published yet; an older one stands in.',
  newer_filing_unusable: 'The figures of a newer filing cannot be used, and an older one stands in.',
  no_crypto:
    'The filing states no coins, so there is no tier, headroom, charge level or probability of a breach.',
  no_crypto_denominator:
    'There is debt and there are no coins: no tier, headroom, charge level or chance of a breach is drawn.',
  outside_asu_2023_08: 'Tokens outside the fair-value standard are carried at cost.',
  own_z_partial: 'Some of the indicators behind the issuer’s own score are missing.',
  pledged_receivable:
    'Coins of this amount are pledged and stand as a receivable, outside the coins counted.',
  price_conflict: 'Sources of the close differ by more than 2 %.',
  price_mismatch:
    'The price of a purchase or sale the issuer reported fits no close; its amount is not used.',
  reporting_currency:
    'The statements are in another currency than USD, in which alone debt and coins are measured.',
  relevance_unknown:
    'Total assets are not known, so neither is how much of the issuer its coins are; no tier is drawn from them.',
  regime_unavailable: 'The market regime of the day cannot be read.',
  related_party_line: 'A debt line is owed to a related party.',
  stress_saturated:
    'The ratios, which every row has, stand at their cap of 1000 because there are no coins; it measures nothing.',
  stress_untrusted: 'The ratio rests on figures that are not proven.',
  subsequent_debt: 'The filing tells of debt raised after its balance-sheet date.',
  tail_understated: 'The chance of a large fall is understated for this coin.',
  ticker_is_cik: 'The issuer has no ticker; its CIK stands there.',
  tier_at_most: 'Coins are at cost, so the tier could only be this or better; none is given.',
  tier_depends_on_candidate: 'The totals that could be the debt give different tiers; none is given.',
  tier_same_at_cost_and_value:
    'Coins are carried at cost; the tier is the same at that cost and at the fair value the filing discloses.',
  unit_of_measure: 'The quantity of coins is filed in another unit of measure.',
  unit_price_mismatch: 'No close explains the quantity of coins that was filed.',
  unit_scale_corrected: 'The quantity of coins was filed in thousands or millions and corrected.',
  units_partial: 'The quantities filed explain a part of the coins.',
  unknown_coin_concept: 'The filing states coins by an element of a newer taxonomy, which is in no figure.',
  unnamed_assets:
    'The names of assets of this amount do not say whether they are coins; none of it is counted.',
  unnamed_liabilities:
    'The names of liabilities of this amount do not say whether they are debt; none of it is counted.',
  units_none: 'The issuer reported that it holds none of its coins any more, so there is no live reading.',
  units_quarantined:
    'A number of coins the issuer reported differs too much from the one before to count unconfirmed.',
  units_scope_unknown:
    'Coins reported since the balance sheet may be counted otherwise than in it; they move nothing.',
  units_stale: 'The number of coins the issuer reported last is that many days old.',
  units_stated: 'Live figures rest on the coins the issuer reported for that day.',
  unreadable_exhibit: 'An exhibit of a current report is a picture or PDF, which is not read.',
  unranked: 'The issuer has no rank among its peers, for this reason.',
  z_universe_small: 'Fewer than twelve issuers could be compared, so there is no z-score.',
  zero_debt_unproven: 'No debt was found, and something speaks against zero.',
};

/** A note of a row in words: what its code says, then what stands behind the colon; a note without a meaning as it is. */
export function noteSentence(note: string): string {
  const at = note.indexOf(':');
  const code = at === -1 ? note : note.slice(0, at);
  const meaning = Object.hasOwn(noteMeanings, code) ? noteMeanings[code] : undefined;
  if (meaning === undefined) return note;
  return at === -1 ? meaning : `${meaning.replace(/\.$/, '')}: ${detailWords(code, note.slice(at + 1))}.`;
}

/** Details that are no amount, concept or date, by the code of their note. */
const details: Readonly<Record<string, (detail: string) => string>> = {
  coins_incidental: (share) => {
    const part = ExactDecimal.tryParse(share);
    return part === null ? share : `${part.times(ExactDecimal.parse('100')).rounded(2)} % of the assets`;
  },
  unit_scale_corrected: (power) => `times ${power.replace(/^10\^/, '10 to the power of ')}`,
};

function detailWords(code: string, detail: string): string {
  const own = details[code];
  if (own !== undefined) return own(detail);
  // whole amounts with their thousands apart; an accession number, a day or a name is none
  return detail
    .replace(/(?<![\w.:/-])-?\d{4,}(?![\w:/-]|\.\d)/g, (amount) => amount.replace(/\B(?=(?:\d{3})+$)/g, ','))
    .replaceAll('/', ' or ')
    .replaceAll(':', ', ');
}
