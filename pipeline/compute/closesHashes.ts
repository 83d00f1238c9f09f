import { createHash } from 'node:crypto';
import type { PriceRow } from '../../calculators/filing/rows.ts';
import { compareText } from '../../data/contract/values/compareText.ts';

/** Hash of every close up to a day; days are asked for in ascending order. */
export function closesHashes(rows: readonly PriceRow[]): (day: string) => string {
  const ordered = rows.toSorted((a, b) => compareText(a.date, b.date));
  const hash = createHash('sha256');
  let next = 0;
  return (day) => {
    for (let row = ordered[next]; row !== undefined && row.date <= day; row = ordered[next]) {
      const refused = row.refused === true ? ' refused' : '';
      hash.update(`${row.date} ${row.asset} ${row.close} ${row.source}${refused}\n`);
      next += 1;
    }
    return hash.copy().digest('hex');
  };
}
