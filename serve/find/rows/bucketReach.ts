import type { ProductPage } from '../../../data/contract/routes/answer.ts';
import { instant } from '../../../data/contract/values/instant.ts';
import { cellOf, type ProductRow, type ProductRows } from './productRows.ts';

const minuteMs = 60_000;

/** The oldest and the newest bucket of stored rows; null where rows are days. */
export function bucketReach(stored: ProductRows): ProductPage['persistence'] {
  const [newest] = stored.page({ limit: 1, offset: 0 });
  const [oldest] = stored.page({ limit: 1, offset: Math.max(0, stored.total - 1) });
  return { first_bucket_utc: startOf(oldest), last_bucket_utc: startOf(newest) };
}

function startOf(row: ProductRow | undefined): string | null {
  const minute = row === undefined ? null : cellOf(row, 'minute');
  if (row === undefined || minute === null) return null;
  return instant(Date.parse(row.share.dates[row.row] ?? '') + Number(minute) * minuteMs);
}
