import { z } from 'zod';
import type { Route } from '../routes/route.ts';
import { date } from '../values/primitives.ts';
import { versions } from '../values/versions.ts';

/** `GET /` (I4.F18.1): where everything else is. */
export const serviceIndex = z.object({
  service: z.string(),
  version: z.string(),
  /** null while no slice is promoted. */
  source_date: date.nullable(),
  age_minutes: z.number().min(0).nullable(),
  links: z.array(z.object({ rel: z.string(), href: z.string(), type: z.string(), title: z.string() })),
});

export type ServiceIndex = z.infer<typeof serviceIndex>;

// registered relations where one fits (RFC 8631), else the last segment of the path
const relations: Readonly<Record<string, string>> = {
  F01: 'pricing',
  F06: 'service-doc',
  F07: 'service-desc',
  F10: 'status',
  F18: 'self',
};

const sampledOperation = 'getCovenantStress';

/** The index of the live free routes that answer everyone. */
export function emitServiceIndex({
  routes,
  sourceDate,
  ageMinutes,
}: {
  routes: readonly Route[];
  sourceDate: string | null;
  ageMinutes: number | null;
}): ServiceIndex {
  const linked = routes.filter(
    ({ family, method, status }) => family === 'free' && method === 'GET' && status === 'live',
  );
  return {
    service: versions.service,
    version: versions.api,
    source_date: sourceDate,
    age_minutes: ageMinutes,
    links: linked.filter(isDoor).map(linkOf),
  };
}

// a grant or a checkout is no door: it answers only those who have one
function isDoor({ answer }: Route): boolean {
  return answer?.kind !== 'grants' && answer?.kind !== 'checkout';
}

function linkOf({ id, path, answer, description }: Route): ServiceIndex['links'][number] {
  const type = answer === null || answer === undefined ? jsonType : typeOf(answer);
  const rel =
    relations[id] ?? path.split('/').findLast((part) => part !== '' && !part.startsWith('{')) ?? 'self';
  return { rel: rel.replace(/\.[a-z]+$/, ''), href: followable(path), type, title: description };
}

const jsonType = 'application/json';

function typeOf(answer: NonNullable<Route['answer']>): string {
  if (answer.kind === 'security') return 'text/plain';
  return (answer.kind === 'document' ? answer.mediaType : undefined) ?? jsonType;
}

// a link is followed as it stands: a path with a parameter shows the example of a paid route
function followable(path: string): string {
  return path.replace('{operation_id}', sampledOperation);
}
