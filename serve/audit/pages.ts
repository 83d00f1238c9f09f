import type { z } from 'zod';
import type { AuditClient } from './auditClient.ts';
import { failed, type Verdict } from './verdict.ts';

/** Reads every page of a list; a total that moves or is not reached is a failure (M15.60). */
export async function pages<S extends z.ZodType, Row>(
  client: AuditClient,
  {
    routeId,
    path,
    limit,
    schema,
    rowsOf,
    totalOf,
  }: {
    routeId: string;
    path: string;
    limit: number;
    schema: S;
    rowsOf: (page: z.infer<S>) => readonly Row[];
    totalOf: (page: z.infer<S>) => number;
  },
): Promise<{ readonly rows: readonly Row[] } | { readonly verdict: Verdict }> {
  const rows: Row[] = [];
  for (;;) {
    const target = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}&offset=${rows.length}`;
    const asked = await client.ask({ routeId, target, schema });
    if (!('payload' in asked)) return { verdict: asked.verdict };
    const page = rowsOf(asked.payload.value);
    rows.push(...page);
    const total = totalOf(asked.payload.value);
    if (rows.length >= total) {
      return rows.length === total
        ? { rows }
        : { verdict: failed(`${rows.length} rows of ${total} (M15.60)`) };
    }
    if (page.length === 0)
      return { verdict: failed(`the pages end after ${rows.length} of ${total} rows (M15.60)`) };
  }
}
