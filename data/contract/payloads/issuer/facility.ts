import { z } from 'zod';
import { qualityFlags } from '../../values/enums.ts';
import { date, money, ratio } from '../../values/primitives.ts';

/** A filed fact behind a figure of a facility (I2.5b). */
const factReference = z.object({
  concept: z.string(),
  date,
  members: z.array(z.string()),
  value: z.string(),
  unit: z.string(),
});

/** One loan, credit line or note issue that coins secure (I2.5b). */
export const facility = z.object({
  facility_id: z.string(),
  name: z.string(),
  drawn: money.nullable(),
  drawn_basis: z.string().nullable(),
  limit: money.nullable(),
  collateral_asset: z.string().nullable(),
  collateral_units: z.number().nullable(),
  collateral_value: money.nullable(),
  collateral_basis: z.string().nullable(),
  collateral_units_stated: z.number().optional(),
  collateral_stated_as_of: date.optional(),
  ltv: ratio.nullable(),
  trigger_ltv: ratio.nullable(),
  trigger_kind: z.string().nullable(),
  margin_call_price: z.number().nullable(),
  price_fall_to_call: ratio.nullable(),
  live_ltv: ratio.nullable(),
  live_price_fall_to_call: ratio.nullable(),
  price_date: date.nullable(),
  as_of: date,
  is_subsequent: z.boolean(),
  confidence: z.enum(qualityFlags),
  notes: z.array(z.string()),
  fact_refs: z.array(factReference),
});

export type CovenantFacility = z.infer<typeof facility>;

/** What each member of a facility means; the field contract holds them (I4.F06.2a). */
export const facilityMeanings = {
  facilities:
    'Loans, credit lines and notes that coins secure, read from the facts of the filing; information only. Absent where the filing shows none, which says nothing of loans it does not tag.',
  'facilities[].facility_id': 'Member names of the loan, lower case, sorted, joined with +.',
  'facilities[].drawn': 'Principal owed at as_of, USD.',
  'facilities[].drawn_basis': 'Which filed amount is the principal owed.',
  'facilities[].collateral_asset': 'Coin that is pledged.',
  'facilities[].collateral_units': 'Coins pledged.',
  'facilities[].collateral_value': 'Value of the pledged coins in USD at as_of.',
  'facilities[].collateral_basis': 'Whether the value is filed or the coins times the close of as_of.',
  'facilities[].collateral_units_stated':
    'Coins the issuer stated as pledged after as_of, where one loan alone is secured by them; no other member rests on it.',
  'facilities[].collateral_stated_as_of': 'Day the issuer states collateral_units_stated for.',
  'facilities[].ltv': 'drawn over collateral_value.',
  'facilities[].trigger_ltv': 'Loan-to-value at which the lender may act; a coverage of 2 is 0.5.',
  'facilities[].trigger_kind':
    'What happens at trigger_ltv: margin call, breach of a maximum or of a coverage, liquidation.',
  'facilities[].margin_call_price':
    'USD per coin at which drawn over the coins reaches trigger_ltv; null unless all three are filed.',
  'facilities[].price_fall_to_call':
    'Fall of the price at as_of that reaches margin_call_price; negative when already through.',
  'facilities[].live_ltv':
    'ltv at the close of price_date, without collateral added or debt repaid since as_of.',
  'facilities[].live_price_fall_to_call':
    'Fall of the close of price_date that reaches margin_call_price, without collateral added since as_of; negative when already through.',
  'facilities[].price_date': 'Day of the close behind the live members of a facility.',
  'facilities[].is_subsequent':
    'True for what happened after the period end; never mixed with the balance sheet.',
  'facilities[].confidence':
    'High: amount, coins and trigger are filed for one loan; Low: terms only, or facts in conflict.',
  'facilities[].name': 'The member or concept as filed.',
  'facilities[].limit': 'Most that may be borrowed, USD.',
  'facilities[].as_of': 'Period end, or day of what happened after it.',
  'facilities[].notes': 'What limits the facility, one code a note, `facility_*`.',
  'facilities[].fact_refs': 'Every filed fact used.',
  'fact_refs[].concept': 'Concept as filed.',
  'fact_refs[].date': 'Instant of the fact, or the end of its period.',
  'fact_refs[].members': 'Members of its dimensions.',
  'fact_refs[].value': 'Value as filed.',
  'fact_refs[].unit': 'Unit of the value.',
} as const;
