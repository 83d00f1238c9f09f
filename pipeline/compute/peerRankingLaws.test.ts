import { describe, expect, it } from 'vitest';
import { midRankPercentile } from '../../calculators/slice/peerRankings.ts';
import type { PeerRanking } from '../../data/contract/payloads/issuer/peerRanking.ts';
import { peerRankingViolations } from './standingInvariants.ts';

/** A ranking of `n` whose first `ties` after `before` share a stress, as it is published. */
function ranking({ n, ties, before }: { n: number; ties: number; before: number }): PeerRanking[] {
  const isTied = (i: number) => i >= before && i < before + ties;
  const stress = Array.from({ length: n }, (_, i) => (isTied(i) ? n - before : n - i));
  const known = new Map<number, number>();
  const percentileOf = (x: number) => {
    const percentile = known.get(x) ?? midRankPercentile(x, stress);
    known.set(x, percentile);
    return percentile;
  };
  return stress.map(
    (x, i) =>
      ({
        ticker: `T${i}`,
        peer_rank: i + 1,
        peer_count: n,
        stressed_leverage_50pct: x,
        percentile: percentileOf(x),
      }) as PeerRanking,
  );
}

const meanOf = (rows: readonly PeerRanking[]) =>
  peerRankingViolations(rows).filter((broken) => broken.includes('the mean percentile is'));

/** The same ranking with every percentile moved by some hundredths. */
const moved = (rows: readonly PeerRanking[], hundredths: number) =>
  rows.map((row) => ({ ...row, percentile: Number((row.percentile + hundredths / 100).toFixed(2)) }));

describe('the mean percentile of a ranking (M15.35)', () => {
  it('is refused for no number of issuers up to 60 and no number of ties among them, wherever they are', () => {
    for (let n = 2; n <= 60; n += 1)
      for (let ties = 0; ties <= n; ties += 1)
        for (const before of new Set([0, Math.floor((n - ties) / 2), n - ties])) {
          const broken = peerRankingViolations(ranking({ n, ties, before }));
          expect(broken, `${n} issuers, ${ties} tied after ${before}`).toEqual([]);
        }
  });

  it('is refused for no number of issuers up to 400, tied in zero debt or not', () => {
    for (let n = 2; n <= 400; n += 1)
      for (const ties of new Set([0, 2, 3, Math.floor(n / 2), n - 1, n])) {
        const broken = peerRankingViolations(ranking({ n, ties, before: n - ties }));
        expect(broken, `${n} issuers, ${ties} tied`).toEqual([]);
      }
  });

  it('may be 50.005 of 16 issuers, and a hundredth of one percentile more is named', () => {
    const rows = ranking({ n: 16, ties: 0, before: 0 });
    expect(rows.reduce((sum, { percentile }) => sum + Math.round(percentile * 100), 0)).toBe(16 * 5000.5);
    expect(meanOf(rows)).toEqual([]);
    const more = rows.map((row, i) => (i === 7 ? { ...row, percentile: row.percentile + 0.01 } : row));
    expect(meanOf(more)).toEqual(['peer ranking: M15.35 the mean percentile is 50.0056']);
  });

  it('is named for every size when all percentiles move by two hundredths', () => {
    for (let n = 2; n <= 400; n += 1) {
      const rows = ranking({ n, ties: 0, before: 0 });
      // a mean may stand half of the last digit off already
      expect(meanOf(moved(rows, -2)), `${n} down`).toHaveLength(1);
      expect(meanOf(moved(rows, 2)), `${n} up`).toHaveLength(1);
    }
  });
});

describe('the ends of a ranking (M15.35)', () => {
  it('are 50/n and 100 − 50/n, and a hundredth beyond either is named', () => {
    for (const n of [2, 3, 7, 16, 80, 333, 999]) {
      const rows = ranking({ n, ties: 0, before: 0 });
      expect(peerRankingViolations(rows)).toEqual([]);
      const [first, last] = [rows[0], rows[n - 1]];
      if (first === undefined || last === undefined) throw new RangeError('a ranking has ends');
      const beyond = [
        { ...first, percentile: Number((first.percentile - 0.02).toFixed(2)) },
        ...rows.slice(1, -1),
        { ...last, percentile: Number((last.percentile + 0.01).toFixed(2)) },
      ];
      expect(peerRankingViolations(beyond).filter((broken) => / M15\.35 percentile /.test(broken))).toEqual([
        `T0: M15.35 percentile ${beyond[0]?.percentile}`,
        `T${n - 1}: M15.35 percentile ${beyond[n - 1]?.percentile}`,
      ]);
    }
  });
});
