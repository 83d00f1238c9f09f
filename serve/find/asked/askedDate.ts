import { dateParameter } from '../../../data/contract/routes/dateParameter.ts';
import type { Route } from '../../../data/contract/routes/route.ts';
import type { FindInput } from '../servable/findInput.ts';

/** Date of the slice that is asked for; null for the current one (I4.15). */
export function askedDate({ route, params }: Pick<FindInput, 'route' | 'params'>): string | null {
  const name = dateParameter(route);
  const asked = name === null ? undefined : params.values.get(name);
  return typeof asked === 'string' ? asked : null;
}

/** The next step after a date without an answer. */
export function askNearestDate(route: Pick<Route, 'params'>): string {
  return `Ask for one of nearest_source_dates, or leave ${dateParameter(route)} out for the current slice.`;
}
