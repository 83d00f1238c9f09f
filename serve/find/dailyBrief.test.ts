import { afterEach, beforeEach, expect, it } from 'vitest';
import { dailyBrief } from '../../contract/payloads/dailyBrief.ts';
import { payloadOf } from '../../fixtures/rigs/servedPayload.ts';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';

const slice = '2026-02-07';
const path = '/v1/daily-brief/public';
const page = Buffer.from(dailyBrief.example.html);

let rig: Rig;
let key: string;

beforeEach(async () => {
  rig = await serveRig();
  key = await rig.key();
});
afterEach(() => rig.close());

const ask = (query = '') => rig.ask(`${path}${query}`, { headers: { 'x-api-key': key } });

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
