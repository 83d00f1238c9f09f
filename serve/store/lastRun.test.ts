import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';

let rig: Rig;
let key: string;

beforeEach(async () => {
  rig = await serveRig();
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
  key = await rig.key();
});
afterEach(() => rig.close());

describe('the last night', () => {
  const run = (status: string, publishedRelease: string | null, degraded: readonly string[] = []) =>
    writeFileSync(
      join(rig.artifacts, 'last-run.json'),
      JSON.stringify({
        source_date: '2026-02-08',
        status,
        started_at_utc: '2026-02-08T06:00:00Z',
        finished_at_utc: status === 'running' ? null : '2026-02-08T07:00:00Z',
        exit_code: status === 'ok' ? 0 : 5,
        published_release: publishedRelease,
        reason: status === 'failed' ? 'validation_failed' : null,
        degraded,
        healed: [],
      }),
    );
  const readiness = async () => (await rig.ask('/v1/readiness', { headers: { 'x-api-key': key } })).json();

  it('shows in readiness and /ready when it failed (I2.46)', async () => {
    run('failed', null);
    expect(await readiness()).toMatchObject({ ok: false, reason: 'last_run_failed' });
    expect((await rig.ask('/ready')).json()['last_run']).toMatchObject({ status: 'failed', exit_code: 5 });
    run('ok', '2026-02-07.1');
    expect(await readiness()).toMatchObject({ ok: true, reason: null });
  });

  it('shows in /ready what it published without (I3.28)', async () => {
    const degraded = [
      'prices/*.csv is not in the inputs, and no earlier night read it',
      'MSTR has no row any more',
    ];
    run('ok', '2026-02-07.1', degraded);
    const ready = (await rig.ask('/ready')).json();
    expect(ready).toMatchObject({
      ready: true,
      last_run: { degraded },
      checks: {
        slice: { status: 'ok', detail: `the last night is degraded: ${degraded[0]} (and 1 more)` },
      },
    });
  });

  it('matters less than a stale slice and more than a partial one (I2.46)', async () => {
    const partial = rig.release({ sourceDate: '2026-02-08', sliceStatus: 'partial' });
    rig.promote(partial, { '2026-02-08': partial });
    expect(await readiness()).toMatchObject({ reason: 'partial_slice' });
    run('failed', null);
    expect(await readiness()).toMatchObject({ reason: 'last_run_failed' });
    rig.clock.nowMs = Date.parse('2026-02-08T07:12:40Z') + 36 * 3_600_000;
    expect(await readiness()).toMatchObject({ reason: 'last_run_failed', age_minutes: 2160 });
    rig.clock.nowMs += 1;
    expect(await readiness()).toMatchObject({ reason: 'stale_slice' });
  });
});
