import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';

const withdrawal = {
  release: '2026-02-07.1',
  withdrawn_at_utc: '2026-02-08T10:00:00Z',
  reason: 'closes of another day',
};
const shown = [{ source_date: '2026-02-07', ...withdrawal }];

let rig: Rig;
let key: string;
beforeEach(async () => {
  rig = await serveRig();
  const earlier = rig.release({ sourceDate: '2026-02-05' });
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-05': earlier, '2026-02-07': release });
  key = await rig.key();
  // the pointers are looked at again after a promotion
  expect((await paid('/v1/covenant-stress/MSTR?source_date=2026-02-07')).status).toBe(200);
  expect((await rig.ask('/companies')).json()).not.toHaveProperty('withdrawn_slices');
  rig.promote(earlier, { '2026-02-05': earlier, '2026-02-07': { release: null, withdrawals: [withdrawal] } });
});
afterEach(() => rig.close());

const paid = (path: string) => rig.ask(path, { headers: { 'x-api-key': key } });

describe('a withdrawn slice', () => {
  it.each([
    '/v1/covenant-stress/MSTR',
    '/v1/covenant-stress',
    '/v1/peer-ranking/MSTR',
    '/v1/alpha-opportunities',
  ])('is a 404 with the reason on %s, unpaid and with a key alike', async (path) => {
    for (const ask of [paid, rig.ask]) {
      const answer = await ask(`${path}?source_date=2026-02-07`);
      expect(answer.status).toBe(404);
      expect(answer.json()).toMatchObject({
        code: 'not_found',
        reason_code: 'no_artifact_for_source_date',
        withdrawn: true,
        detail: expect.stringMatching(
          /^The slice of 2026-02-07 was withdrawn on 2026-02-08: closes of another day\. /,
        ),
        nearest_source_dates: { before: '2026-02-05', after: null },
      });
    }
  });

  it('is said with its reason by the route that has its own form of a miss (I4.R03.5)', async () => {
    const answer = await paid('/v1/daily-changes/evidence?ticker=MSTR&source_date=2026-02-07');
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({
      status: 'not_found',
      message:
        'No daily-change evidence is stored for MSTR on 2026-02-07. ' +
        'The slice of 2026-02-07 was withdrawn on 2026-02-08: closes of another day.',
      billing_status: 'not_charged',
    });
  });

  it('is not what requests without a date get', async () => {
    expect((await paid('/v1/covenant-stress/MSTR')).json()).toMatchObject({ source_date: '2026-02-05' });
  });

  it('of a date that never was is told apart', async () => {
    const json = (await paid('/v1/covenant-stress/MSTR?source_date=2026-02-06')).json();
    expect(json).not.toHaveProperty('withdrawn');
  });

  it('is shown by /ready and /companies', async () => {
    const ready = await rig.ask('/ready');
    expect(ready.status).toBe(200);
    expect(ready.json()).toMatchObject({ source_date: '2026-02-05', withdrawn_slices: shown });
    expect((await rig.ask('/companies')).json()).toMatchObject({
      source_date: '2026-02-05',
      withdrawn_slices: shown,
    });
  });

  it('keeps its manifest under the name of the release, not under its date', async () => {
    const path = (version: string) => `/.well-known/artifact-manifest.json?version=${version}`;
    expect((await rig.ask(path('2026-02-07.1'))).json()).toMatchObject({ version: '2026-02-07.1' });
    expect((await rig.ask(path('2026-02-07'))).status).toBe(404);
  });

  it('answers again once another build of the date is promoted', async () => {
    const again = rig.release({ sourceDate: '2026-02-07', build: 2 });
    rig.promote(again, {
      '2026-02-05': '2026-02-05.1',
      '2026-02-07': { release: again, withdrawals: [withdrawal] },
    });
    expect((await paid('/v1/covenant-stress/MSTR?source_date=2026-02-07')).status).toBe(200);
    expect((await rig.ask('/ready')).json()).toMatchObject({ withdrawn_slices: [] });
  });
});
