import { execFileSync } from 'node:child_process';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { liveRoutes } from '../routes/routes.ts';
import { bodyExample, codeSamples } from './codeSamples.ts';
import { documentationDeployment } from './deployment.ts';

const samplesIn = (lang: string): string[] =>
  liveRoutes.flatMap((route) =>
    codeSamples(route, documentationDeployment).flatMap((sample) =>
      sample.lang === lang ? [sample.source] : [],
    ),
  );

describe('code samples', () => {
  it('are whole programs in JavaScript', () => {
    for (const source of samplesIn('JavaScript')) {
      const { diagnostics } = ts.transpileModule(source, {
        reportDiagnostics: true,
        fileName: 'sample.mjs',
        compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, allowJs: true },
      });
      expect(
        diagnostics?.map(({ messageText }) => messageText),
        source,
      ).toEqual([]);
    }
  });

  it('are whole commands of a shell', () => {
    for (const source of samplesIn('Shell')) execFileSync('bash', ['-n', '-c', source]);
  });

  it('are whole programs in Python', (ctx) => {
    const parse = 'import ast, json, sys\nfor source in json.load(sys.stdin): ast.parse(source)';
    try {
      execFileSync('python3', ['--version']);
    } catch {
      ctx.skip('python3 is not on this machine');
    }
    execFileSync('python3', ['-c', parse], { input: JSON.stringify(samplesIn('Python')) });
  });

  it('pay with the client of the family, and call what is free without a credential', () => {
    const of = (id: string): string[] => {
      const route = liveRoutes.find((one) => one.id === id);
      return route === undefined
        ? []
        : codeSamples(route, documentationDeployment).map(({ source }) => source);
    };
    expect(of('R11')[0]).toBe(
      [
        '# the price, without paying',
        'curl -si "https://api.example.com/v1/covenant-stress/MSTR"',
        '# with an API key',
        'curl -s "https://api.example.com/v1/covenant-stress/MSTR" \\',
        '  -H "X-API-Key: $KEY"',
      ].join('\n'),
    );
    expect(of('R11')[1]).toContain("from '@x402/fetch'");
    expect(of('M10')[1]).toContain("from 'mppx/client'");
    expect(of('F09')[0]).toBe('curl -s "https://api.example.com/health"');
    expect(of('F03')[0]).toContain('-H "X-Svc-Grant-Token: $TOKEN"');
    expect(of('F17')).toEqual([]);
  });

  it('write true, false and null as Python does: a report is asked for without segments', () => {
    const report = liveRoutes.find(({ operationId }) => operationId === 'postCompanyReport');
    const python = report === undefined ? [] : codeSamples(report, documentationDeployment);
    expect(python.find(({ lang }) => lang === 'Python')?.source).toContain('"include_segments": False, ');
  });

  it('send numbers as numbers and leave out what has no example', () => {
    const checkout = liveRoutes.find(({ id }) => id === 'F14');
    expect(bodyExample(checkout?.params ?? [])).toEqual({
      account_id: 'desk-1',
      credit_usd: 10,
      wallet: '0x1111111111111111111111111111111111111111',
    });
    expect(bodyExample([])).toBeNull();
  });
});
