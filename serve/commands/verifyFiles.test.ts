import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Rig, serveRig } from '../../fixtures/rigs/serveRig.ts';
import { verifyAnswer } from './verifyFiles.ts';

const alone = { manifest: null, publicKey: null };

describe('verifyAnswer without a manifest (I4.32)', () => {
  it.each(['getCompanyFundamentals', 'screenCovenantStress', 'getIssuerFieldMap', 'getCompanyReport'])(
    'recomputes the payload hash of the sample of %s',
    (operation) => {
      const answer = readFileSync(new URL(`../../data/contract/samples/${operation}.json`, import.meta.url));
      expect(verifyAnswer({ answer, ...alone })).toMatchObject({ ok: true });
    },
  );

  it('notices one changed digit', () => {
    const text = readFileSync(
      new URL('../../data/contract/samples/getCovenantStress.json', import.meta.url),
      'utf8',
    );
    const answer = Buffer.from(text.replace('"stress_50pct":0.223313', '"stress_50pct":0.223314'));
    const { ok, lines } = verifyAnswer({ answer, ...alone });
    expect(ok).toBe(false);
    const [, stated = ''] = /"payload_sha256":"([0-9a-f]{64})"/.exec(text) ?? [];
    expect(lines[0]).toMatch(
      /^WRONG {2}payload: its SHA-256 is [0-9a-f]{64}, the answer states [0-9a-f]{64}$/,
    );
    expect(lines[0]?.endsWith(` ${stated}`)).toBe(true);
  });

  it('keeps digits that a double would lose: the test vector of canon-1', () => {
    const hash = 'b33840c3287663f6da0c495884bd8d587474de0391f249e29a4115fd1229b6e1';
    expect(createHash('sha256').update('{"v":9007199254740993}').digest('hex')).toBe(hash);
    const metadata = { payload_sha256: hash, artifact_key: 'a.json', artifact_sha256: hash };
    const answer = Buffer.from(`{"v":9007199254740993,"response_metadata":${JSON.stringify(metadata)}}`);
    expect(verifyAnswer({ answer, ...alone }).ok).toBe(true);
  });

  it('refuses a file that is no paid answer, or says two things at once', () => {
    const sample = new URL('../../data/contract/samples/getCovenantStress.json', import.meta.url);
    const twice = readFileSync(sample, 'utf8').replace('{', '{"risk_tier":"LOW",');
    for (const text of ['', 'not json', '{}', '{"code":"not_found"}', twice])
      expect(() => verifyAnswer({ answer: Buffer.from(text), ...alone })).toThrow(
        'The file is no paid answer',
      );
  });
});

describe('verifyAnswer with the manifest of a release (I9.16)', () => {
  let rig: Rig;
  let answer: Buffer;
  let manifest: Buffer;
  beforeAll(async () => {
    rig = await serveRig();
    const release = rig.release({ sourceDate: '2026-02-07' });
    rig.promote(release, { '2026-02-07': release });
    const paid = await rig.ask('/v1/covenant-stress/MSTR', { headers: { 'x-api-key': await rig.key() } });
    answer = paid.bytes;
    manifest = (await rig.ask('/.well-known/artifact-manifest.json')).bytes;
  });
  afterAll(() => rig.close());

  it('proves payload, signature and artifact', () => {
    const { public_key: publicKey } = (
      JSON.parse(manifest.toString('utf8')) as { signature: { public_key: string } }
    ).signature;
    const { ok, lines } = verifyAnswer({ answer, manifest, publicKey });
    expect(lines).toEqual([
      expect.stringMatching(/^ok {5}payload: /),
      'ok     signature: release 2026-02-07.1 is signed by k1',
      'ok     artifact: covenant/2026-02-07/CIK0001050446.json is in that release, and is the payload',
    ]);
    expect(ok).toBe(true);
  });

  it('proves a report by its parts: legs, frame, and the artifacts they are (I4.R29.2c)', async () => {
    const report = await rig.ask('/v1/company-report/MSTR?output_mode=full', {
      headers: { 'x-api-key': await rig.key() },
    });
    const { ok, lines } = verifyAnswer({ answer: report.bytes, manifest, publicKey: null });
    expect(lines.slice(2)).toEqual([
      'ok     artifact: company-report/2026-02-07/CIK0001050446/full.json is in that release; the payload is a view of it',
      'ok     legs: each of the 7 has the SHA-256 that the report states of it',
      'ok     report: without its legs it is the artifact that the answer names',
      'ok     legs: 6 are artifacts of that release as they stand',
    ]);
    expect(ok).toBe(true);
    // a changed leg is found even where the hash over all was made to fit
    const changed = (from: RegExp, to: string): string[] => {
      const text = report.bytes.toString('utf8').replace(from, to);
      const sound = hashed(text);
      return [...verifyAnswer({ answer: Buffer.from(sound), manifest, publicKey: null }).lines].filter(
        (line) => line.startsWith('WRONG'),
      );
    };
    expect(changed(/"stress_50pct":0.2/, '"stress_50pct":0.1')).toEqual([
      'WRONG  legs: covenant_stress has another SHA-256 than the report states',
    ]);
    expect(changed(/"age_minutes":0/, '"age_minutes":9')).toEqual([
      expect.stringMatching(/^WRONG {2}report: without its legs it has SHA-256/),
    ]);
    expect(changed(/"partial":false/, '"partial":true')).toHaveLength(1);
  });

  it('names another key, a changed entry, another release and a file that is no manifest', () => {
    const wrongLine = (changed: Buffer, publicKey: string | null = null): string | undefined =>
      verifyAnswer({ answer, manifest: changed, publicKey }).lines.find((line) => line.startsWith('WRONG'));
    expect(wrongLine(manifest, Buffer.alloc(32, 1).toString('base64'))).toContain(
      'manifest: it is signed by another key than the one given (ed25519-',
    );
    const tampered = Buffer.from(manifest.toString('utf8').replace('"bytes":', '"bytes":1'));
    expect(wrongLine(tampered)).toBe('WRONG  manifest: its signature does not hold');
    expect(wrongLine(Buffer.from('{}'))).toBe('WRONG  manifest: it is not an artifact manifest');
    expect(wrongLine(Buffer.from('<html>'))).toBe('WRONG  manifest: it is not JSON');
    const other = rig.release({ sourceDate: '2026-02-08' });
    const otherManifest = readFileSync(`${rig.artifacts}/releases/${other}/manifest.json`);
    expect(wrongLine(otherManifest)).toContain('take the manifest of the same release');
  });
});

/** The same answer with the payload hash of what it says now. */
function hashed(text: string): string {
  const [, found = ''] =
    /its SHA-256 is ([0-9a-f]{64})/.exec(
      verifyAnswer({ answer: Buffer.from(text), ...alone }).lines[0] ?? '',
    ) ?? [];
  return text.replace(/("payload_sha256":")[0-9a-f]{64}("\}\})$/, `$1${found}$2`);
}
