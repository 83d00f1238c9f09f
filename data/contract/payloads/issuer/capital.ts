import { z } from 'zod';
import { accession, cik10, date, datetime, filingPage, ticker } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { object } from '../stored.ts';
import example from './capital.example.json' with { type: 'json' };
import {
  capitalFact,
  capitalFigure,
  capitalReasons,
  claims,
  coinFlow,
  coinStock,
  instrument,
  maturities,
  nav,
  preferredClass,
  runway,
  shares,
  stack,
} from './capitalParts.ts';

/** Bytes that the stored capital structure of an issuer stays below (I2.73). */
export const mostCapitalBytes = 20_000;

/** CapitalResponse, the capital structure of one issuer on one slice (I2.72). */
const schema = z.object({
  source_date: date,
  cik: cik10,
  ticker,
  entity_name: z.string(),
  accession_number: accession,
  filing_url: filingPage,
  period: date,
  computed_at_utc: datetime,
  absent: z.enum(capitalReasons).nullable(),
  currency: z.string().nullable(),
  instruments_absent: z.enum(['none', 'not_filed']).nullable(),
  instruments: z.array(instrument),
  stack,
  maturities,
  preferred: z.array(preferredClass),
  shares,
  claims: z.array(claims),
  claims_absent: z.object({
    coins_only: z.enum(capitalReasons).nullable(),
    all_assets: z.enum(capitalReasons).nullable(),
  }),
  nav: z.array(nav),
  runway,
  coin_flows: z.array(coinFlow),
  coin_stocks: z.array(coinStock),
  notes: z.array(z.string()),
  members: z.array(z.string()),
  facts: z.array(capitalFact),
});

export type CapitalPayload = z.infer<typeof schema>;

// Strategy, 10-Q of 2024-03-31 (0000950170-24-054825): the 2028 notes of two members, and what a share held
export const capital = payload({
  id: 'capital.v1',
  schema,
  example: example as z.output<typeof schema>,
  embeds: [capitalFigure],
  excerpt: ['instruments[0].name', 'instruments[0].principal.value'],
  stored: {
    object: object({
      subject: 'issuer',
      schema,
      // only in a report
      coded: false,
      key: ({ slice, cik }) => `capital/${slice}/CIK${cik}.json`,
    }),
  },
});
