import { offerReceiptSchema, type Requirement } from '../../../data/contract/billing/requirement.ts';
import type { ProofKey } from '../../keys/proofKey.ts';

/** Offers of a challenge, and until when they may be shown as they are. */
export type SignedOffers = { readonly extension: object; readonly shownUntilMs: number };

/** Signs the entries of a challenge. */
export type OfferSigner = (o: {
  readonly resourceUrl: string;
  readonly accepts: readonly Requirement[];
  readonly nowMs: number;
}) => SignedOffers;

/**
 * Offers are good for five to ten minutes: as long as a price that has changed is still accepted (P1.5), so none is ever
 * broken. They end on full five minutes, so that a challenge is signed once in that time and not for each call.
 */
const stepMs = 300_000;
/** Signatures that are kept: tool calls share a few payloads, and are not printed in advance. */
const mostKept = 256;

/** Makes the signer of a key (P2.57). */
export function offerSigner(key: Pick<ProofKey, 'jws'>): OfferSigner {
  let kept = new Map<string, string>();
  const signed = (payload: Readonly<Record<string, string | number>>): string => {
    const name = JSON.stringify(payload);
    const known = kept.get(name);
    if (known !== undefined) return known;
    if (kept.size >= mostKept) kept = new Map();
    const jws = key.jws(payload);
    kept.set(name, jws);
    return jws;
  };
  return ({ resourceUrl, accepts, nowMs }) => {
    const shownUntilMs = (Math.floor(nowMs / stepMs) + 1) * stepMs;
    const validUntil = (shownUntilMs + stepMs) / 1000;
    const offers = accepts.map(({ scheme, network, asset, payTo, amount }, acceptIndex) => ({
      format: 'jws',
      acceptIndex,
      signature: signed({ version: 1, resourceUrl, scheme, network, asset, payTo, amount, validUntil }),
    }));
    return { extension: { info: { offers }, schema: offerReceiptSchema('offers') }, shownUntilMs };
  };
}
