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
