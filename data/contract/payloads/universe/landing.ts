import { z } from 'zod';
import { count, date, datetime, ratio, ticker } from '../../values/primitives.ts';
import { covenantStress } from '../issuer/covenantStress.ts';
import { object } from '../stored.ts';

/** What the ladder says of an issuer. */
const rung = covenantStress.schema.pick({
  ticker: true,
  entity_name: true,
  risk_tier: true,
  stress_30pct: true,
  stress_50pct: true,
  stress_70pct: true,
  live_risk_tier: true,
  live_stress_30pct: true,
  live_stress_50pct: true,
  live_stress_70pct: true,
  filing_age_days: true,
});

const landingSchema = z.strictObject({
  source_date: date,
  computed_at_utc: datetime,
  /** Issuers of the slice. */
  issuer_count: count,
  /** Those of the tier CRITICAL; at live prices null while no close reprices any. */
  critical: z.strictObject({ live: count.nullable(), filing: count }),
  /** Cut-offs of the tiers on stress_50pct (M3.6) and the reference covenant (M3.4). */
  bands: z.strictObject({ moderate: ratio, high: ratio, critical: ratio, covenant: ratio }),
  /** Judged issuers, the most stressed first (I2.49). */
  ladder: z.array(rung),
  /** An issuer that answers; null in a slice without any. */
  example_ticker: ticker.nullable(),
});

export type LandingFigures = z.infer<typeof landingSchema>;

/** The headline figures of a night that the landing page shows (I4.F18.1). No route sends the object itself. */
export const landing = object({
  subject: 'none',
  schema: landingSchema,
  key: ({ slice }) => `landing/${slice}.json`,
  coded: false,
});
