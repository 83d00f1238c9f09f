import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '../../../calculators/exact/civilDate.ts';
import { type FieldPoint, issuerFieldMap } from '../../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { canonicalJson } from '../../../data/contract/values/canonicalJson.ts';
import { sampleFieldMaps, sampleRest } from '../../../fixtures/rigs/sampleHistory.ts';
import { payloadOf } from '../../../fixtures/rigs/servedPayload.ts';
import { type Rig, sampleIssuers, serveRig } from '../../../fixtures/rigs/serveRig.ts';
import { damageArtifact } from '../../../fixtures/rigs/storedArtifacts.ts';

const sourceDate = '2026-02-07';
const path = '/v1/spectra-field-map/MSTR';
const point = issuerFieldMap.example.points[0] as FieldPoint;
const points = Array.from({ length: 410 }, (_, i) => ({
  ...point,
  date: addDays(sourceDate, i - 409),
  E_total: i / 1000,
}));
const issuers = sampleIssuers.filter(({ ticker }) => ticker === 'MSTR');

let rig: Rig;
let key: string;
beforeAll(async () => {
  rig = await serveRig();
  key = await rig.key();
  const rest = sampleRest({
    sourceDate,
    issuers: issuers.map((one) => ({ ...one, mapped: false })),
    backfilled: false,
  });
  const more = [...rest, ...sampleFieldMaps({ sourceDate, issuers, points })];
  rig.promote(rig.release({ sourceDate, issuers, more }), { [sourceDate]: `${sourceDate}.1` });
});
afterAll(() => rig.close());

const ask = () => rig.ask(path, { headers: { 'x-api-key': key } });

describe('an object with the newest rows of a history', () => {
  it('holds the newest 400 points of all segments, in canonical order (I4.R17.2)', async () => {
    const answer = await ask();
    const whole = {
      ...issuerFieldMap.example,
      ticker: 'MSTR',
      source_date: sourceDate,
      points: points.slice(10),
    };
    expect(canonicalJson(payloadOf(answer))).toBe(canonicalJson(whole));
    expect(answer.json()['response_metadata']).toMatchObject({
      artifact_key: 'issuer-field-map/2026-02-07/CIK0001050446.json',
      cache_hit: false,
    });
  });

  it('counts them before it is paid (I7.7)', async () => {
    const unpaid = (await rig.ask(path)).json();
    expect(unpaid['artifact']).toMatchObject({ counts: { points: 400, events: 1 } });
  });

  it('is not answered and not charged where the bytes of its points are not the stored ones', async () => {
    const damaged = await serveRig();
    const release = damaged.release({
      sourceDate,
      more: sampleRest({ sourceDate, issuers, backfilled: false }),
    });
    damaged.promote(release, { [sourceDate]: release });
    damageArtifact(
      { root: damaged.artifacts, release, key: 'issuer-field-map/2026-02-07.ndjson' },
      { at: 20 },
    );
    const answer = await damaged.ask(path, { headers: { 'x-api-key': await damaged.key() } });
    expect(answer.status).toBe(503);
    expect(answer.json()).toMatchObject({ code: 'artifact_unavailable' });
    damaged.close();
  });
});
