import { z } from 'zod';
import type { Deployment } from './deployment.ts';

const method = z.object({
  id: z.string(),
  type: z.enum(['JsonWebKey2020', 'EcdsaSecp256k1RecoveryMethod2020']),
  controller: z.string(),
  publicKeyJwk: z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() }).optional(),
  blockchainAccountId: z.string().optional(),
});

/** `/.well-known/did.json` (I4.F23.1): which keys sign for this origin, and whom its payments go to. */
export const didDocument = z.object({
  '@context': z.array(z.string()),
  id: z.string(),
  alsoKnownAs: z.array(z.string()),
  verificationMethod: z.array(method),
  assertionMethod: z.array(z.string()),
  service: z.array(z.object({ id: z.string(), type: z.string(), serviceEndpoint: z.string() })),
});

/** Public half of an Ed25519 key: its name, and its 32 bytes in base64. */
export type PublishedKey = { readonly keyId: string; readonly publicKey: string };

/** Public halves of the keys of a deployment, each in use first. */
export type DeploymentKeys = {
  /** Signs offers and receipts (P2.57). */
  readonly proofKey: PublishedKey | null;
  readonly releaseKeys: readonly PublishedKey[];
  readonly renderKey: PublishedKey | null;
};

/** Emits the document of a deployment. Pure: the same keys and deployment give the same document. */
export function emitDidDocument(
  { baseUrl, x402 }: Deployment,
  { proofKey, releaseKeys, renderKey }: DeploymentKeys,
): z.infer<typeof didDocument> {
  const id = didOf(baseUrl);
  const keys = [proofKey, ...releaseKeys, renderKey].filter((key) => key !== null);
  const signing = keys.filter((key, i) => keys.findIndex(({ keyId }) => keyId === key.keyId) === i);
  const payee = x402.payTo === null ? [] : [`${x402.network}:${x402.payTo}`];
  return {
    '@context': [
      'https://www.w3.org/ns/did/v1',
      'https://w3id.org/security/suites/jws-2020/v1',
      ...(payee.length === 0 ? [] : ['https://w3id.org/security/suites/secp256k1recovery-2020/v2']),
    ],
    id,
    alsoKnownAs: payee.map((account) => `did:pkh:${account}`),
    verificationMethod: [
      ...signing.map(({ keyId, publicKey }) => ({
        id: `${id}#${keyId}`,
        type: 'JsonWebKey2020' as const,
        controller: id,
        publicKeyJwk: {
          kty: 'OKP' as const,
          crv: 'Ed25519' as const,
          x: publicKey.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
        },
      })),
      // it takes money and signs nothing here
      ...payee.map((account) => ({
        id: `${id}#pay-to`,
        type: 'EcdsaSecp256k1RecoveryMethod2020' as const,
        controller: id,
        blockchainAccountId: account,
      })),
    ],
    assertionMethod: signing.map(({ keyId }) => `${id}#${keyId}`),
    service: [
      { id: `${id}#api`, type: 'x402', serviceEndpoint: `${baseUrl}/.well-known/x402` },
      { id: `${id}#tools`, type: 'ModelContextProtocol', serviceEndpoint: `${baseUrl}/mcp` },
    ],
  };
}

/** The decentralized identifier of a deployment: its public origin, by the method `web`. */
export function didOf(baseUrl: string): string {
  // a port is part of the name, its colon written out
  return `did:web:${encodeURIComponent(new URL(baseUrl).host)}`;
}
