import type { Route } from './route.ts';

/** Parameter that selects the slice of an answer: `source_date`, of briefs `date` (I4.15); null on a route without one. */
export function dateParameter({ params }: Pick<Route, 'params'>): 'source_date' | 'date' | null {
  for (const { name } of params) if (name === 'source_date' || name === 'date') return name;
  return null;
}
