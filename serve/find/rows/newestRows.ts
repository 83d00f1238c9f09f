import type { NewestRows } from '../../../data/contract/routes/answer.ts';
import type { Release } from '../../store/artifactStore.ts';
import { countRows, cutSpans, spansOf } from './rowSpans.ts';
import { type HistoryRows, storedHistory } from './storedHistory.ts';

/** The newest rows of a subject, by date ascending. @throws IssuerError `artifact_unavailable` */
export async function newestRows(
  release: Release,
  { history, most }: Pick<NewestRows, 'history' | 'most'>,
  subject: string,
): Promise<HistoryRows> {
  const stored = await storedHistory(release, history);
  const spans = spansOf(await stored.segments(), { subject });
  const total = countRows(spans);
  return stored.rows(cutSpans(spans, { offset: Math.max(0, total - most), limit: most }), { form: 0 });
}
