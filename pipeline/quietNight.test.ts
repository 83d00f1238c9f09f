import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NightlyRig, nightlyRig } from '../fixtures/replicas/nightlyRig.ts';
import { issuerCommand } from '../fixtures/rigs/commandTrees.ts';

let rig: NightlyRig;
let data: string;
beforeAll(async () => {
  rig = await nightlyRig({ issuers: ['BTBT'] });
  data = join(rig.root, 'quiet');
});
afterAll(() => rig.close());

function quietly(source: string, date: string, ...more: readonly string[]) {
  const args = ['nightly', '--quiet', '--source', source, '--date', date, '--data', data, ...more];
  return issuerCommand(args, process.env);
}

describe('issuer nightly --quiet, as cron runs it', () => {
  it('prints nothing of a whole night', async () => {
    expect(await quietly(rig.source, rig.date, '--as-of', rig.asOf)).toEqual({ code: 0, out: '', err: '' });
  });

  it('prints summary, warnings and the last word of a degraded night, all to stderr', async () => {
    const source = join(rig.root, 'without-closes');
    await cp(rig.source, source, { recursive: true });
    await rm(join(source, 'prices'), { recursive: true });
    const { code, out, err } = await quietly(source, '2025-11-15', '--as-of', '2025-11-16T06:00:00Z');
    expect({ code, out }).toEqual({ code: 6, out: '' });
    expect(err).toContain('Slice 2025-11-15, computed as of 2025-11-16T06:00:00Z');
    expect(err).toMatch(/Degraded +\d findings, exit code 6/);
    expect(err).toContain('✗ The night has less than it should');
    expect(err).not.toContain('"level":"info"');
  });

  it('says why a night failed, in JSON where that is asked for', async () => {
    const failed = await quietly(join(rig.root, 'none'), rig.date);
    expect(failed).toMatchObject({ code: 3, out: '' });
    expect(failed.err).toContain('is not a directory');
    const asJson = await quietly(join(rig.root, 'none'), rig.date, '--json');
    expect(JSON.parse(asJson.err)).toMatchObject({ level: 'error', exit_code: 3 });
  });

  it('shows its help when asked', async () => {
    const { code, out } = await quietly(rig.source, rig.date, '--help');
    expect(code).toBe(0);
    expect(out).toContain('--quiet');
  });
});
