import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { date, datetime, filingPage, money, rank } from '../../values/primitives.ts';

/** ChoreographyEvent: one filing of an issuer and its place in a chain (I2.37). */
export const choreographyEvent = z.object({
  date,
  form: z.string(),
  label: z.string(),
  family: z.string(),
  accession: z.string().nullable().optional(),
  filing_url: filingPage.optional(),
  accepted_at: datetime.nullable().optional(),
  confidence: z.enum(e.choreographyConfidences).optional(),
  source: z.string().optional(),
  sequence_id: z.string().nullable().optional(),
  sequence_step: rank.nullable().optional(),
});

/** ChoreographyChain (I2.38); `events` are accession numbers in step order, or labels where there is none. */
export const choreographyChain = z.object({
  sequence_id: z.string(),
  family: z.string(),
  label: z.string(),
  start_date: date,
  end_date: date,
  events: z.array(z.string()),
  interpretation: z.string().optional(),
  principal: money.optional(),
  net_proceeds: money.optional(),
  securities_sold: z
    .array(
      z.object({
        security: z.string().nullable(),
        shares: z.number(),
        proceeds: money.nullable(),
        capacity_left: money.nullable(),
        to: date,
      }),
    )
    .optional(),
});

export type ChoreographyEvent = z.infer<typeof choreographyEvent>;
export type ChoreographyChain = z.infer<typeof choreographyChain>;
