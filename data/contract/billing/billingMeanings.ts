import { fieldMeaning } from '../meanings/fieldMeaning.ts';
import { billingEnvelope } from './billingEnvelope.ts';

/** Meaning of each member of the billing envelope, by name (I4.F01.2, I4.F02.2). */
export const billingMeanings: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(billingEnvelope.shape).map((name) => [name, fieldMeaning('envelope', name)]),
);
