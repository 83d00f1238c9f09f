import { afterEach, beforeEach, expect, it } from 'vitest';
import { dailyBrief } from '../../data/contract/payloads/reports/dailyBrief.ts';
import { payloadOf } from '../../fixtures/rigs/servedPayload.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';

const slice = '2026-02-07';
const path = '/v1/daily-brief/public';
const page = Buffer.from(dailyBrief.example.html);

let rig: Rig;

beforeEach(async () => {
  rig = await serveRig();
});
afterEach(() => rig.close());

const ask = async (query = '') => rig.ask(`${path}${query}`, { headers: { 'x-api-key': await rig.key() } });

it('is sold in three representations of one slice (I4.R28.2, I4.R28.4a)', async () => {
  rig.promote(rig.release({ sourceDate: slice }), {});
  expect(dailyBrief.schema.parse(payloadOf(await ask()))).toEqual(dailyBrief.example);
  expect((await ask('?format=html')).bytes).toEqual(page);
  const file = await ask('?format=pdf');
  expect(file.headers.get('content-type')).toBe('application/pdf');
  expect(file.headers.get('content-disposition')).toBe(`inline; filename="daily-brief-${slice}.pdf"`);
  expect(file.headers.get('x-receipt-id')).toMatch(/^rcpt_/);
  expect((await ask('?format=html')).headers.get('content-disposition')).toBeUndefined();
});

it('is not published without its sources, which are named, and nothing is quoted (I4.R28.6)', async () => {
  rig.promote(rig.release({ sourceDate: slice, backfilled: true }), {});
  const answer = await ask('?format=pdf');
  expect(answer.json()).toMatchObject({
    status: 404,
    code: 'not_found',
    reason_code: 'not_published',
    missing_sources: expect.arrayContaining(['readiness', 'latest_daily_changes', 'risk_distribution']),
  });
  expect((await rig.ask(path)).status).toBe(404);
});

it('is missed on a day without a slice, with the name of its own parameter in the next step (I4.15)', async () => {
  rig.promote(rig.release({ sourceDate: slice }), { [slice]: `${slice}.1` });
  expect((await ask('?date=2026-02-01')).json()).toMatchObject({
    reason_code: 'no_artifact_for_source_date',
    detail:
      'Nothing is stored for 2026-02-01. Ask for one of nearest_source_dates, or leave date out for the current slice.',
    nearest_source_dates: { before: null, after: slice },
  });
});
