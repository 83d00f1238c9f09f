import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Rig, sampleIssuers, serveRig } from '../../fixtures/rigs/serveRig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await serveRig();
  const [successor] = sampleIssuers;
  const merged = { status: 'merged', on: '2026-01-16', successor: successor?.cik ?? null } as const;
  const liquidated = { status: 'liquidated', on: '2024-11-13', successor: null } as const;
  const release = rig.release({
    sourceDate: '2026-02-07',
    issuers: [
      ...sampleIssuers,
      { cik: '0001554859', ticker: null, name: 'Semler Scientific, Inc.', stress: null, ended: merged },
      { cik: '0001873441', ticker: null, name: 'Coinvestors Corp. I', stress: null, ended: liquidated },
    ],
  });
  rig.promote(release, { '2026-02-07': release });
});
afterAll(() => rig.close());

describe('a registrant of the universe that has ended (I1.3a)', () => {
  it.each(['covenant-stress', 'company-fundamentals'])(
    'says in its 404 of /v1/%s how and when it ended, and who goes on',
    async (route) => {
      const merged = await rig.ask(`/v1/${route}/0001554859`);
      expect(merged.status).toBe(404);
      expect(merged.json()).toMatchObject({
        reason_code: 'issuer_without_coverage',
        detail: expect.stringContaining(
          `Semler Scientific, Inc. was merged into ${sampleIssuers[0]?.ticker} on 2026-01-16: ask for its successor`,
        ),
      });
      const liquidated = await rig.ask(`/v1/${route}/0001873441`);
      expect(liquidated.json()).toMatchObject({
        detail: expect.stringContaining(
          'Coinvestors Corp. I was liquidated on 2024-11-13: nothing is computed of it since.',
        ),
      });
    },
  );
});
