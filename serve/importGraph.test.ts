import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const room = import.meta.dirname;

function sources(): Map<string, string[]> {
  const files = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  return new Map(
    files.map((name) => {
      const text = readFileSync(join(room, name), 'utf8');
      const targets = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) =>
        relative(room, resolve(room, dirname(name), target)),
      );
      return [name, targets];
    }),
  );
}

describe('the import graph of the server', () => {
  const graph = sources();
  const importersOf = (pattern: RegExp) =>
    [...graph]
      .filter(([name, targets]) => !pattern.test(name) && targets.some((target) => pattern.test(target)))
      .map(([name]) => name)
      .sort();

  it('was read', () => {
    expect(graph.size).toBeGreaterThan(50);
    expect(graph.get('access/gate.ts')).toContain('ledger/ledger.ts');
  });

  // the composition roots and the operator's commands wire the ledger; of the request path only the gate knows it
  const wiring = ['cli.ts', 'composeServer.ts'];
  // the admin listener is a room of its own, see below
  const elsewhere =
    /^(commands|keys|payments|grants|checkout|settler|operations\/(admin|metrics|page|report))\//;
  const requestPath = (names: string[]) =>
    names.filter((name) => !wiring.includes(name) && !elsewhere.test(name));

  it('lets only the gate reach ledger, keys and payment credentials (P1.1)', () => {
    const gate = ['access/accessDecision.ts', 'access/gate.ts'];
    expect(requestPath(importersOf(/^ledger\//))).toEqual(gate);
    expect(requestPath(importersOf(/^keys\//))).toEqual(gate);
    expect(requestPath(importersOf(/^access\/credentials/))).toEqual([...gate, 'http/transportLimits.ts']);
    expect(requestPath(importersOf(/^access\/gate/))).toEqual(['handle.ts']);
    // the configuration names what it holds
    expect(requestPath(importersOf(/^grants\//))).toEqual(['config/config.ts']);
    expect(requestPath(importersOf(/^checkout\//))).toEqual(['config/config.ts']);
    // the challenge prints the entries the rail compares a payment with, the configuration checks addresses
    expect(requestPath(importersOf(/^payments\//))).toEqual([
      'access/gate.ts',
      'answer/challenge.ts',
      'config/config.ts',
      'config/configVariables.ts',
    ]);
  });

  it('keeps node:http in the listener and the file system in the store and the configuration', () => {
    const users = (module: string) =>
      [...graph.keys()].filter(
        (name) =>
          !/^(ledger|commands|audit|settler)\//.test(name) &&
          readFileSync(join(room, name), 'utf8').includes(`'node:${module}'`),
      );
    expect(users('http').sort()).toEqual(['listen.ts', 'operations/admin/listenAdmin.ts']);
    expect(users('fs/promises').sort()).toEqual([
      'operations/admin/collectView.ts',
      'operations/admin/newestAudit.ts',
      'operations/metrics/metricsFile.ts',
      'store/directoryRelease.ts',
      'store/directoryStore.ts',
      'store/verifiedFiles.ts',
    ]);
    expect(users('fs').sort()).toEqual([
      'config/config.ts',
      'keys/releaseKey.ts',
      'operations/admin/adminAnswer.ts',
    ]);
  });

  it('keeps metrics and the operations page out of the request path: the roots wrap it with them (P0.6)', () => {
    const admin = /^operations\/(admin|metrics|page|report)\//;
    expect(importersOf(admin)).toEqual([
      'cli.ts',
      'commands/ledgerReport.ts',
      'commands/runSettler.ts',
      'commands/startServer.ts',
      'config/config.ts',
    ]);
    // the configuration refuses a public address
    expect(graph.get('config/config.ts')?.filter((name) => admin.test(name))).toEqual([
      'operations/admin/adminAddress.ts',
    ]);
  });

  it('loads viem in the settlement process and the MPP worker, and nowhere else (P4.17, P9.2, P12.2)', () => {
    const text = (name: string) => readFileSync(join(room, name), 'utf8');
    expect([...graph.keys()].filter((name) => /from '(viem|mppx)/.test(text(name))).sort()).toEqual([
      'payments/mpp/chargeLibrary.ts',
      'settler/viemChain.ts',
    ]);
    expect([...graph.keys()].filter((name) => text(name).includes('/viemChain.ts'))).toEqual([
      'commands/runSettler.ts',
    ]);
    expect(text('commands/runSettler.ts')).toContain("await import('../settler/viemChain.ts')");
    expect(importersOf(/^settler\//)).toEqual(['commands/runSettler.ts']);
    // the worker is started by its address, so no thread that answers requests loads it
    expect(importersOf(/^payments\/mpp\/chargeLibrary/)).toEqual(['payments/mpp/mppWorker.ts']);
    expect(importersOf(/^payments\/mpp\/mppWorker/)).toEqual([]);
    // the mutating call with the harmless name (P4.17)
    expect([...graph.keys()].filter((name) => text(name).includes('verifyCredential'))).toEqual([]);
  });
});
