import { generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditRun } from '../../data/contract/payloads/audit/auditRun.ts';
import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { emptyRun } from '../../fixtures/rigs/signedAudit.ts';
import { signedRun } from './signedRun.ts';

const run = emptyRun('2026-02-07', 3);

describe('signedRun (I3.22, I9.16)', () => {
  it('writes a document whose signature verifies over its canonical form', () => {
    const root = mkdtempSync(join(tmpdir(), 'audit-'));
    try {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519');
      const path = join(root, 'key.pem');
      writeFileSync(path, privateKey.export({ format: 'pem', type: 'pkcs8' }));
      const { signature, ...signed } = auditRun.parse(signedRun(run, path));
      expect(signed).toEqual(run);
      const text = Buffer.from(canonicalJson(signed));
      expect(verify(null, text, publicKey, Buffer.from(signature.value, 'base64'))).toBe(true);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('refuses a key it cannot read or that is none', () => {
    const sign = (path: string) => () => signedRun(run, path);
    expect(sign('/nowhere/key.pem')).toThrow('cannot be signed');
    expect(sign(import.meta.filename)).toThrow('Ed25519 private key');
  });
});
