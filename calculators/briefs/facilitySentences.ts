import { type BriefLine, behind, core, more, when } from './briefLines.ts';
import type { CovenantEvidence, FacilityEvidence } from './covenantEvidence.ts';
import { countedText, countText, decimalOf, ratioText, usdText } from './figureText.ts';
import { memberWords } from './plainText.ts';
import { callSentence } from './sharedSentences.ts';

/** Loans that coins secure, in the order of the row; a call price that is filed comes with its distance. */
export function facilityLines({ ticker, facilities, not_listed: rest }: CovenantEvidence): BriefLine[] {
  const lines = facilities.flatMap((one) => [
    more(`- ${facilitySentence(one)}`),
    ...(one.margin_call_price === null || one.live_price_fall_to_call === null || one.is_subsequent
      ? []
      : [core(`- ${callSentence({ ...one, ticker })}`)]),
  ]);
  return [
    ...lines,
    ...when(rest.facilities > 0, behind(more(`- ${countedText(rest.facilities, 'more loan')}.`))),
  ];
}

function facilitySentence(one: FacilityEvidence): string {
  const on = one.is_subsequent ? `after the period end, on ${one.as_of}` : `at ${one.as_of}`;
  const drawn = one.drawn === null ? 'amount not stated' : `${usdText(one.drawn)} drawn`;
  const limit = one.limit === null ? '' : limitWords(one.limit, one.drawn);
  const ltv = one.ltv === null ? '' : `, loan-to-value ${ratioText(one.ltv)}`;
  const live =
    one.live_ltv === null
      ? ''
      : `, ${ratioText(one.live_ltv)} at the close of ${one.price_date ?? 'the day'} without collateral added since`;
  const trigger =
    one.trigger_ltv === null
      ? '; no trigger is read from the filing'
      : `; the lender may act at a loan-to-value of ${ratioText(one.trigger_ltv)}`;
  return `Loan, ${memberWords(one.name)}, ${on}: ${drawn}${limit}${pledged(one)}${ltv}${live}${trigger}.`;
}

/** More drawn than may be drawn: the filing tags one of the two for another day or line. */
function limitWords(limit: string, drawn: string | null): string {
  const isAbove = drawn !== null && decimalOf(drawn).compare(decimalOf(limit)) > 0;
  return isAbove
    ? `, which does not fit the limit of ${usdText(limit)} tagged beside it,`
    : ` of a limit of ${usdText(limit)}`;
}

function pledged({
  collateral_units: units,
  collateral_asset: asset,
  collateral_value: value,
}: FacilityEvidence): string {
  const worth = value === null ? '' : ` worth ${usdText(value)}`;
  if (asset === null && value === null) return '';
  if (units === null) return ` against ${asset ?? 'coins'}${worth}`;
  return ` against ${countText(units, 2)} coins (${asset ?? 'unnamed'})${worth}`;
}
