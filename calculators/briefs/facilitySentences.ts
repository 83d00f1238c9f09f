import { type BriefLine, core, more } from './briefLines.ts';
import type { CovenantEvidence, FacilityEvidence } from './covenantEvidence.ts';
import { countText, ratioText, usdText } from './figureText.ts';
import { memberWords } from './plainText.ts';
import { callSentence } from './sharedSentences.ts';

/** Loans that coins secure, in the order of the row; a call price that is filed comes with its distance. */
export function facilityLines({ ticker, facilities }: CovenantEvidence): BriefLine[] {
  return facilities.flatMap((one) => [
    more(`- ${facilitySentence(one)}`),
    ...(one.margin_call_price === null || one.live_price_fall_to_call === null || one.is_subsequent
      ? []
      : [core(`- ${callSentence({ ...one, ticker })}`)]),
  ]);
}

function facilitySentence(one: FacilityEvidence): string {
  const when = one.is_subsequent ? ` after the period end, on ${one.as_of}` : ` at ${one.as_of}`;
  const drawn = one.drawn === null ? 'amount not stated' : `${usdText(one.drawn)} drawn`;
  const limit = one.limit === null ? '' : ` of a limit of ${usdText(one.limit)}`;
  const ltv = one.ltv === null ? '' : `, loan-to-value ${ratioText(one.ltv)}`;
  const live =
    one.live_ltv === null
      ? ''
      : `, ${ratioText(one.live_ltv)} at the close of ${one.price_date ?? 'the day'} without collateral added since`;
  const trigger =
    one.trigger_ltv === null
      ? '; no trigger is read from the filing'
      : `; the lender may act at ${ratioText(one.trigger_ltv)}`;
  return `Loan, ${memberWords(one.name)}:${when} ${drawn}${limit}${pledged(one)}${ltv}${live}${trigger}.`;
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
