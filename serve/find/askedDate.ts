import type { Route } from '../../contract/routes/route.ts';
import type { FindInput } from './findInput.ts';

/** Date of the slice that is asked for; null for the current one (I4.15). */
export function askedDate({ route, params }: Pick<FindInput, 'route' | 'params'>): string | null {
  const asked = params.values.get(dateParameter(route));
  return typeof asked === 'string' ? asked : null;
}

/** The next step after a date without an answer. */
export function askNearestDate(route: Pick<Route, 'params'>): string {
  return `Ask for one of nearest_source_dates, or leave ${dateParameter(route)} out for the current slice.`;
}

// briefs call it `date`
function dateParameter({ params }: Pick<Route, 'params'>): 'date' | 'source_date' {
  return params.some(({ name }) => name === 'date') ? 'date' : 'source_date';
}
