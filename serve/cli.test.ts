import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Rig, serveRig } from '../fixtures/bench/serveRig.ts';

let rig: Rig;

beforeAll(async () => {
  rig = await serveRig();
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
});
afterAll(() => rig.close());

function run(...args: string[]) {
  const cli = join(import.meta.dirname, 'cli.ts');
  const found = spawnSync(
    process.execPath,
    [cli, '--env-file', join(import.meta.dirname, 'demo.env'), ...args],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '', II_DATA: rig.root },
    },
  );
  return { status: found.status, stdout: found.stdout, stderr: found.stderr };
}

describe('issuer-serve', () => {
  it('answers one path through the handler with operator access, and writes nothing (I5.51)', () => {
    const found = run('get', '/v1/covenant-stress/MSTR');
    expect(found.status).toBe(0);
    expect(JSON.parse(found.stdout)).toMatchObject({
      ticker: 'MSTR',
      settlement_receipt: { payer_identity: 'operator' },
    });
    expect(run('get', '/v1/covenant-stress/ZZZZZ')).toMatchObject({ status: 3 });
    expect(JSON.parse(run('check-config').stdout).ledger.state).toBe('not_created');
  });

  it('prints the configuration in force and what stands in the way', () => {
    const found = run('check-config');
    expect(found.status).toBe(0);
    expect(JSON.parse(found.stdout)).toMatchObject({
      configuration: { II_PAY_CHALLENGE_ONLY: 'on', II_PAY_MPP_SECRET: 'unset' },
      artifacts: { current_release: '2026-02-07.1' },
      problems: [],
    });
    const release = readFileSync(join(rig.artifacts, 'current'));
    rmSync(join(rig.artifacts, 'current'));
    expect(run('check-config').status).toBe(5);
    expect(release.toString()).toBe('2026-02-07.1\n');
  });

  it.each([[['--nonsense']], [['dance']], [['get']], [['keys', 'create']]])('ends with 2 on %j', (args) => {
    expect(run(...args).status).toBe(2);
  });
});
