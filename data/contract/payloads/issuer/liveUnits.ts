import { z } from 'zod';
import { accession, count, date, filingPage, money, ratio } from '../../values/primitives.ts';

/** Members of an issuer's row where coins it stated after its balance sheet move its live figures (I2.5h). */
export const liveUnits = {
  live_units: z.number().optional(),
  live_units_asset: z.string().optional(),
  live_units_as_of: date.optional(),
  live_units_age_days: count.optional(),
  live_units_basis: z.enum(['stated', 'stated_rolled']).optional(),
  live_units_accession: accession.optional(),
  live_units_confidence: z.enum(['High', 'Medium']).optional(),
  live_total_crypto_fair_value_filed_units: money.optional(),
  live_stress_50pct_filed_units: ratio.optional(),
  debt_since_low: money.optional(),
  debt_since_high: money.optional(),
  cash_stated: money.optional(),
  cash_stated_as_of: date.optional(),
  cash_stated_accession: accession.optional(),
} as const;

export const liveUnitsMeanings = {
  live_units:
    'Coins of live_units_asset that the live figures rest on, as the issuer stated them; absent where they rest on filed units.',
  live_units_asset: 'Coin of live_units; of several the one of the largest filed value.',
  live_units_as_of: 'Day the issuer states live_units for.',
  live_units_age_days: 'Days from live_units_as_of to source_date.',
  live_units_basis:
    'stated: a number the issuer gave; stated_rolled: with purchases and sales it put in tables after that, on a proven chain.',
  live_units_accession: 'Accession number of the current report that states the coins.',
  live_units_confidence:
    'How surely the number was read: High with a day of its own, Medium where the day is inferred or coins between two numbers are unexplained.',
  live_total_crypto_fair_value_filed_units: 'live_total_crypto_fair_value on filed units, USD: price alone.',
  live_stress_50pct_filed_units: 'live_stress_50pct on filed units and filed debt.',
  debt_since_low:
    'Debt filed less repayments reported since the period end, USD; draws and conversions nobody reported are not in it.',
  debt_since_high:
    'Debt filed with closings reported since the period end, USD; draws and conversions nobody reported are not in it.',
  cash_stated: 'Cash the issuer stated after its balance sheet, USD; assets and equity stay as filed.',
  cash_stated_as_of: 'Day the issuer states cash_stated for.',
  cash_stated_accession: 'Accession number of the current report that states the cash.',
} as const;

export const eventKinds = [
  'bought',
  'sold',
  'mined',
  'holds',
  'pledged',
  'released',
  'notes_closed',
  'notes_repaid',
  'redemption_announced',
  'shares_sold',
  'cash',
] as const;

const reportedEvent = z.object({
  kind: z.enum(eventKinds),
  text: z.string(),
  as_of: date,
  known_on: date,
  accession_number: accession,
  filing_url: filingPage,
  place: z.string(),
});

/** What the newest current report with a statement told (I2.5i). */
export const reportedEvents = { reported_events: z.array(reportedEvent).optional() } as const;

export const reportedEventsMeanings = {
  reported_events:
    'What the newest current report since the period end told of coins, debt, shares sold or cash, a line an event; absent where none was read.',
  text: 'The event in words, made of the numbers read; no words of the filer.',
  as_of: 'Day of the event, last day of a period.',
  known_on: 'UTC day on which EDGAR accepted the report.',
  place: 'Document type and number of the block the number stands in.',
} as const;
