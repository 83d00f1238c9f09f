import { describe, expect, it } from 'vitest';
import { routes } from '../routes/routes.ts';
import { emitAgentCard } from './agentCard.ts';
import { documentationDeployment } from './deployment.ts';
import { didOf, emitDidDocument } from './didDocument.ts';
import { emitIcon, emitRobots, emitSecurityText } from './plainDoors.ts';
import { emitRegistryEntry } from './registryEntry.ts';
import { emitServerCard } from './serverCard.ts';

const local = { ...documentationDeployment, baseUrl: 'http://127.0.0.1:8402' };
const key = (keyId: string, byte: number) => ({
  keyId,
  publicKey: Buffer.alloc(32, byte).toString('base64'),
});

describe('the identity of an origin (I4.F23.1)', () => {
  it('is its host by did:web, a port written out', () => {
    expect(didOf('https://api.example.com')).toBe('did:web:api.example.com');
    expect(didOf('http://127.0.0.1:8402')).toBe('did:web:127.0.0.1%3A8402');
  });

  it('lists every signing key once, and the payee, who signs nothing', () => {
    const [proof, release] = [key('ed25519-a', 0xfb), key('ed25519-b', 2)];
    const document = emitDidDocument(documentationDeployment, {
      proofKey: proof,
      releaseKeys: [release, release],
      renderKey: null,
    });
    const id = 'did:web:api.example.com';
    expect(document.assertionMethod).toEqual([`${id}#ed25519-a`, `${id}#ed25519-b`]);
    expect(document.verificationMethod.map((one) => one.id)).toEqual([
      ...document.assertionMethod,
      `${id}#pay-to`,
    ]);
    expect(document.verificationMethod[0]?.publicKeyJwk).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x: Buffer.alloc(32, 0xfb).toString('base64url'),
    });
    expect(document.alsoKnownAs).toEqual([`did:pkh:eip155:8453:${documentationDeployment.x402.payTo}`]);
  });

  it('has no payee where x402 is off', () => {
    const off = { ...local, x402: { ...local.x402, payTo: null } };
    const keys = { proofKey: null, releaseKeys: [], renderKey: null };
    expect(emitDidDocument(off, keys)).toMatchObject({ alsoKnownAs: [], verificationMethod: [] });
  });
});

describe('the doors other programs look for', () => {
  it('are an agent card with every listed tool as a skill, and no endpoint of a protocol that is not spoken (I4.F24.1)', () => {
    const card = emitAgentCard(documentationDeployment, routes);
    const listed = emitServerCard(documentationDeployment, routes).tools;
    expect(card.skills.map(({ id }) => id)).toEqual(listed.map(({ name }) => name));
    expect(card.supportedInterfaces.map(({ url, protocolBinding }) => [url, protocolBinding])).toEqual([
      ['https://api.example.com/mcp', 'https://modelcontextprotocol.io'],
    ]);
    expect(card.skills.every(({ tags }) => tags.length > 0)).toBe(true);
  });

  it('are an entry of the registry under the host backwards (I4.F25.1)', () => {
    const entry = emitRegistryEntry(documentationDeployment);
    expect(entry).toMatchObject({
      name: 'com.example.api/issuer-intelligence',
      version: '1.0.0',
      remotes: [{ type: 'streamable-http', url: 'https://api.example.com/mcp' }],
    });
    // bounds of the schema that it names
    expect(emitRegistryEntry(local).name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    expect(entry.description.length).toBeLessThanOrEqual(100);
  });

  it('are rules for robots that leave the documents open and nothing that is sold (I4.F26.1)', () => {
    const lines = emitRobots(routes).split('\n');
    expect(lines[0]).toBe('User-agent: *');
    expect(lines).toContain('Allow: /llms.txt');
    expect(lines).toContain('Allow: /v1/pricing');
    expect(lines).toContain('Disallow: /v1/');
    expect(lines.filter((line) => line.startsWith('Allow: /v1/covenant'))).toEqual([]);
  });

  it('are a contact with an end that moves on every day (I4.F27.1)', () => {
    const nowMs = Date.parse('2026-02-07T17:00:00Z');
    expect(emitSecurityText(documentationDeployment, { contact: 'mailto:a@example.com', nowMs })).toBe(
      [
        'Contact: mailto:a@example.com',
        'Expires: 2026-04-08T00:00:00Z',
        'Preferred-Languages: en',
        'Canonical: https://api.example.com/.well-known/security.txt',
        '',
      ].join('\n'),
    );
  });

  it('are an icon of one image whose sizes add up (I4.F28.1)', () => {
    const icon = Buffer.from(emitIcon());
    expect([...icon.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 0, 16, 16]);
    expect(icon.readUInt32LE(14) + icon.readUInt32LE(18)).toBe(icon.length);
    expect(icon.length).toBe(22 + 40 + 16 * 16 * 4 + 16 * 4);
    // 4 columns wide each: 14, 10 and 6 pixels high
    const inked = icon.subarray(62, 62 + 1024).filter((byte, i) => i % 4 === 3 && byte === 0xff);
    expect(inked).toHaveLength(4 * (14 + 10 + 6));
  });
});
