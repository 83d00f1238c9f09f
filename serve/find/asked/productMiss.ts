import type { ProductHistoryAnswer } from '../../../data/contract/routes/answer.ts';
import { missError } from '../../problem/missError.ts';
import type { FindInput } from '../servable/findInput.ts';
import { askedDate, askNearestDate } from './askedDate.ts';
import { type HistoryRange, noRowsInRange } from './historyRange.ts';
import type { NamedProduct } from './namedProduct.ts';
import { nearestDates } from './selectRelease.ts';

/** Why no row is sent: no registry, nothing on the date, nothing in the range. */
export function productMiss(
  input: FindInput,
  {
    answer,
    named,
    range,
    dates,
  }: {
    answer: ProductHistoryAnswer;
    named: NamedProduct | null;
    range: HistoryRange;
    dates: readonly string[];
  },
): Error {
  const product = named?.product.product;
  const who = product ?? 'any product in scope';
  const about = product === undefined ? {} : { product };
  if (answer.needsRegistry && named?.product.has_registry === false && dates.length === 0)
    return registryMissing(input, named.product.product);
  const exact = askedDate(input);
  if (exact !== null && named !== null) {
    return missError(input.route, {
      reasonCode: 'no_artifact_for_source_date',
      message: `Nothing of ${who} is stored for ${exact}.`,
      hint: askNearestDate(input.route),
      nearestSourceDates: nearestDates(dates, exact),
      ...about,
    });
  }
  const message = `No row of ${who} is stored in the range.`;
  return noRowsInRange(input, { range, dates, message, ...about });
}

/** The miss of a product whose constituents are not known (I7.6). */
export function registryMissing({ route }: FindInput, product: string): Error {
  return missError(route, {
    reasonCode: 'registry_missing',
    message: `No registry version of ${product} is in force on the date.`,
    hint: 'GET /v1/market-core/perps/factors/{product} shows what is observed of it.',
    product,
  });
}
