import { z } from 'zod';
import { cik10, date, ticker } from '../../values/primitives.ts';
import { object } from '../stored.ts';

/** One registrant that the night's inputs name and the universe does not hold. */
const registrant = z.strictObject({
  cik: cik10,
  /** null where the inputs give none. */
  name: z.string().nullable(),
  tickers: z.array(ticker),
});

const registrantList = z.strictObject({ source_date: date, registrants: z.array(registrant) });

export type Registrant = z.infer<typeof registrant>;

/**
 * Registrants outside the universe, ordered by CIK. No route sends it: it tells a miss of a real registrant
 * (`issuer_not_in_universe`) from one of an unknown label (I7.6).
 */
export const registrants = object({
  subject: 'none',
  schema: registrantList,
  key: ({ slice }) => `registrants/${slice}.json`,
  coded: false,
});
