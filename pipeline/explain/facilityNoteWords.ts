/** What each code of a facility's notes says; what follows its colon is the amount, day, coin or concept meant (M16.10). */
const meanings: Readonly<Record<string, string>> = {
  facility_join_ambiguous: 'three or more names state one principal, so none were joined',
  facility_exceeds_debt: 'the amount is above the debt of the issuer and was refused',
  facility_sum_exceeds_debt: 'the loans together are above the debt of the issuer',
  facility_collateral_exceeds_coins: 'the pledges together are above the coins of the issuer',
  facility_ratio_refused: 'a ratio can be no loan-to-value',
  facility_trigger_conflict: 'facts of one trigger contradict each other',
  facility_units_rejected: 'the coins do not make the filed value at the close, the value stands',
  facility_units_conflict: 'facts of the coins pledged contradict each other',
  facility_collateral_conflict: 'facts of the collateral value contradict each other',
  facility_collateral_dated: 'coins as pledged on an earlier day, while the loan is still drawn in full',
  facility_limit_exceeded: 'more is drawn than the newest filed limit',
  facility_undrawn: 'nothing is drawn',
  facility_price_missing: 'there is no close for the coin',
  facility_of_entity: 'facts are of one entity of the group',
};

/** A note in words, what it names after them, and its code last. */
export function facilityNoteWords(note: string): string {
  const [code = '', ...rest] = note.split(':');
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  if (meaning === undefined) return note;
  return `${meaning}${rest.length === 0 ? '' : `: ${rest.join(':')}`} (${code})`;
}
