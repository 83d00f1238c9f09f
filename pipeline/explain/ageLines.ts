import { z } from 'zod';
import { date } from '../../data/contract/values/primitives.ts';

const whyUnknown: Readonly<Record<string, string>> = {
  submissions_not_at_hand: 'the list of submissions is not at hand',
  submissions_begin_later: 'the list of submissions begins after the balance sheet',
};

const storedReports = z.object({
  current_reports: z
    .array(z.object({ kind: z.string(), count: z.unknown(), filed: date, filing_url: z.string().nullable() }))
    .nullable(),
  current_reports_missing: z.string().optional(),
});
type StoredReports = z.infer<typeof storedReports>;

/** Rows of older programs say none of it. */
const storedAge = storedReports.extend({
  source_date: date,
  filed: date.nullable(),
  filing_age_days: z.unknown(),
  next_report_due: date.nullable(),
});

/** How old the balance sheet is, when the report after it is due, and what was reported since (M1.60, M1.61). */
export function ageLines(stress: Readonly<Record<string, unknown>>): string[] {
  const told = storedAge.safeParse(stress);
  if (!told.success) return [];
  const { filing_age_days: days, source_date: date, filed, next_report_due: due, ...since } = told.data;
  const on = filed === null ? 'on a day that no source has' : filed;
  const next = due === null ? '' : `; the report after it ${due < date ? 'was' : 'is'} due ${due}`;
  return [
    `filed ${on}, its balance sheet ${days} ${String(days) === '1' ? 'day' : 'days'} old on ${date}${next}`,
    ...sinceLines(since),
  ];
}

function sinceLines({ current_reports: reports, current_reports_missing: why }: StoredReports): string[] {
  if (reports === null)
    return [`current reports since: not known, ${whyUnknown[why ?? ''] ?? 'no list says'}`];
  if (reports.length === 0) return ['current reports since: none'];
  return [
    'current reports since, by item:',
    // an address stands on a line of its own, so that it can be copied
    ...reports.flatMap(({ kind, count, filed, filing_url: url }) => [
      `  ${count} × ${kind}, newest ${filed}`,
      ...(url === null ? [] : [url]),
    ]),
  ];
}
