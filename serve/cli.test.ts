import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Rig, serveRig } from '../fixtures/rigs/serveRig.ts';

let rig: Rig;

beforeAll(async () => {
  rig = await serveRig();
  const release = rig.release({ sourceDate: '2026-02-07' });
  rig.promote(release, { '2026-02-07': release });
});
afterAll(() => rig.close());

const environment = () => ({
  PATH: process.env['PATH'] ?? '',
  II_DATA: rig.root,
  II_LISTEN: '127.0.0.1:0',
  II_ADMIN_LISTEN: '127.0.0.1:0',
});
const line = (...args: string[]) => [
  join(import.meta.dirname, 'cli.ts'),
  '--env-file',
  join(import.meta.dirname, 'demo.env'),
  ...args,
];

/** A running command; `ended` resolves with its exit code, signal and everything it said on standard error. */
function launch(...args: string[]) {
  const child = spawn(process.execPath, line(...args), { env: environment() });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const ended = new Promise<{ code: number | null; signal: string | null; stderr: string }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal, stderr })),
  );
  return { child, ended };
}

function run(...args: string[]) {
  const found = spawnSync(process.execPath, line(...args), { encoding: 'utf8', env: environment() });
  return { status: found.status, stdout: found.stdout, stderr: found.stderr };
}

describe('issuer-serve', () => {
  it('declares every command for its help, and loads the work of none', () => {
    const script = `
      import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });
      process.argv.push('issuer-serve', '--help');
      await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'cli.ts')).href)});`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: environment(),
    });
    expect(stdout).toContain('check-config');
    const packages = [...stderr.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/]+)/g)].map(([, name]) => name);
    expect([...new Set(packages)]).toEqual(['commander']);
    expect(stderr).not.toMatch(/\/serve\/(?:ledger|config|grants|operations)\//);
  });

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
      admin: { listen: '127.0.0.1:0', page: 'http://127.0.0.1:0/', metrics: 'http://127.0.0.1:0/metrics' },
      artifacts: { current_release: '2026-02-07.1' },
      problems: [],
    });
    const release = readFileSync(join(rig.artifacts, 'current'));
    rmSync(join(rig.artifacts, 'current'));
    expect(run('check-config').status).toBe(5);
    expect(release.toString()).toBe('2026-02-07.1\n');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('drains and ends with 0 on %s (I9.34)', async (signal) => {
    const { child, ended } = launch('start');
    let shown = '';
    await new Promise<void>((resolve) =>
      child.stdout.on('data', (chunk) => {
        shown += String(chunk);
        if (shown.includes('To stop:')) resolve();
      }),
    );
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(shown)?.[0] ?? '';
    expect((await fetch(`${origin}/health`)).status).toBe(200);
    const admin = /Operations: (http:\/\/127\.0\.0\.1:\d+)\//.exec(shown)?.[1] ?? '';
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    expect(metrics).toContain('http_requests_total{route="F09",outcome="served"} 1\n');
    expect(metrics).toMatch(/^nodejs_eventloop_lag_p99_seconds [0-9.e-]+$/m);
    expect(shown).toContain(`kill ${child.pid} `);
    child.kill(signal);
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    const lines = stderr
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text).msg);
    expect(lines).toEqual(['request', 'draining', 'stopped']);
  });

  it.each([[['--help']], [['check-config']], [['get', '/health']]])(
    'says nothing when its reader left early: %j',
    async (args) => {
      const { child, ended } = launch(...args);
      child.stdout.destroy();
      expect((await ended).stderr).toBe('');
    },
  );

  it.each([[['--nonsense']], [['dance']], [['get']], [['keys', 'create']]])('ends with 2 on %j', (args) => {
    expect(run(...args).status).toBe(2);
  });
});
