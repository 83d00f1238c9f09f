import type { CanonicalValue } from '../../data/contract/values/canonicalJson.ts';
import type { BackfilledDate } from './backfill.ts';
import type { BackfillOutcome } from './runBackfill.ts';

/** The line a terminal gets of one date. */
export function backfilledText({ sourceDate, status, release, rows, resolved }: BackfilledDate): string {
  const filings = `${rows} ${rows === 1 ? 'issuer' : 'issuers'}`;
  const first = resolved === 0 ? '' : `, ${resolved} resolved for the first time`;
  switch (status) {
    case 'published':
      return `${sourceDate}  published ${release}  ${filings}${first}\n`;
    case 'unchanged':
      return `${sourceDate}  unchanged ${release}  ${filings}\n`;
    case 'full':
      return `${sourceDate}  kept      ${release}  a night's release answers for it\n`;
    case 'withdrawn':
      return `${sourceDate}  withdrawn and left so\n`;
    case 'empty':
      return `${sourceDate}  empty     no issuer had filed a balance sheet\n`;
  }
}

/** The same as a line of JSON. */
export function backfilledJson(done: BackfilledDate): { [member: string]: CanonicalValue } {
  const { sourceDate, status, release, rows, resolved } = done;
  return { source_date: sourceDate, status, release, rows, filings_resolved: resolved };
}

/** What is said at the end. */
export function outcomeText({ dates, published, rows, current }: BackfillOutcome): string {
  const n = (count: number) => count.toLocaleString('en');
  const histories =
    current.left === null
      ? `current release: ${current.release}, its histories hold them`
      : `current release: ${current.release ?? 'none'} is left as it is, because ${current.left}`;
  return `${n(dates)} dates, ${n(published)} published, ${n(rows)} rows; ${histories}.\n`;
}

/** The same as a line of JSON. */
export function outcomeJson({ dates, published, rows, current }: BackfillOutcome): {
  [member: string]: CanonicalValue;
} {
  return { dates, published, rows, current: current.release, current_left_because: current.left };
}
