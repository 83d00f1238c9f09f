import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../effects.ts';
import { auditPromoted, type ChildResult, type RunChild, runChild } from './auditPromoted.ts';

const healthy = {
  status: 'healthy',
  applicable_pct: 97,
  operation_count: 1935,
  issuer_count: 215,
  ok_count: 1895,
  skipped_count: 0,
  not_applicable_count: 40,
  failed_count: 0,
  composite_operation_count: 7,
  composite_failed_count: 0,
  historical_operation_count: 60,
  historical_failed_count: 0,
};
const ended = (exitCode: number | null, printed: object | string, stderr = ''): ChildResult => ({
  exitCode,
  stdout: typeof printed === 'string' ? printed : JSON.stringify(printed),
  stderr,
});

async function audited(result: ChildResult, data = '/data') {
  const lines: LogEvent[] = [];
  const asked: Parameters<RunChild>[0][] = [];
  const error = await auditPromoted({
    programRoot: '/program',
    data,
    environment: { PATH: '/bin', II_COINGECKO_KEY: 'secret', II_BASE_URL: 'https://api.example.com' },
    signal: new AbortController().signal,
    log: (event) => lines.push(event),
    run: async (input) => {
      asked.push(input);
      return result;
    },
  });
  return { lines, asked, error };
}

describe('audit after a night (M13.10)', () => {
  it('starts issuer-serve audit with the place of the data and nothing else of the environment', async () => {
    const { asked } = await audited(ended(0, healthy));
    expect(asked[0]).toMatchObject({ args: ['/program/serve/cli.ts', 'audit'] });
    expect(asked[0]?.environment).toEqual({
      PATH: '/bin',
      II_DATA: '/data',
      II_BASE_URL: 'https://api.example.com',
    });
  });

  it('says in one line how the audit ended', async () => {
    const { lines, error } = await audited(ended(0, healthy));
    expect(error).toBeNull();
    expect(lines).toEqual([
      {
        level: 'info',
        step: 'audit',
        message:
          'healthy, 97 % applicable, 0 failed — 1,935 operations on 215 issuers: 1,895 ok, 0 skipped, 40 not applicable; ' +
          '7 over the slice, 60 rows replayed',
      },
    ]);
  });

  it('is an error with exit code 6, whatever the source', async () => {
    const found = await audited(
      ended(6, { ...healthy, status: 'degraded', failed_count: 2, historical_failed_count: 1 }),
    );
    expect(found.lines[0]).toMatchObject({ level: 'warn' });
    expect(found.lines[0]?.message).toContain('degraded, 97 % applicable, 3 failed');
    expect(found.error?.toCli()).toMatchObject({ code: 'degraded', exitCode: 6 });
  });

  it('names the reason that most failures have', async () => {
    const data = mkdtempSync(join(tmpdir(), 'audited-'));
    mkdirSync(join(data, 'artifacts/audit'), { recursive: true });
    const failures = ['no_filing_in_inputs', 'no_filing_in_inputs', 'schema'].map((reason) => ({ reason }));
    writeFileSync(join(data, 'artifacts/audit/2026-02-07.json'), JSON.stringify({ failures }));
    const artifact = { summary_blob: 'audit/2026-02-07.json' };
    const found = await audited(
      ended(6, { ...healthy, status: 'degraded', failed_count: 3, artifact }),
      data,
    );
    rmSync(data, { recursive: true });
    expect(found.error?.message).toMatch(/60 rows replayed; most failed for no_filing_in_inputs\.$/);
  });

  it.each([
    [
      'that printed nothing',
      ended(3, '', 'issuer-serve: No release is promoted yet.\n  hint'),
      '(exit 3): issuer-serve: No',
    ],
    ['that printed no audit', ended(0, '[]'), '(exit 0)'],
    ['that a signal ended', ended(null, '{"operation_count"'), '(exit by signal)'],
  ])('says so of a child %s', async (_, result, words) => {
    const { lines } = await audited(result);
    expect(lines[0]?.message).toContain(`the audit could not be made ${words}`);
  });
});

describe('runChild', () => {
  it('gives exit code and both outputs of a real process', async () => {
    const result = await runChild({
      command: process.execPath,
      args: [
        '-e',
        'process.stdout.write(String(process.env.A)); process.stderr.write("e"); process.exitCode = 6',
      ],
      environment: { A: 'ä' },
      signal: new AbortController().signal,
    });
    expect(result).toEqual({ exitCode: 6, stdout: 'ä', stderr: 'e' });
  });
});
