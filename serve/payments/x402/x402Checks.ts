import {
  gatewayDomain,
  requirements,
  type X402Provider,
} from '../../../data/contract/billing/requirement.ts';
import type { Deployment } from '../../../data/contract/emit/deployment.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { AccessRequest } from '../../access/accessDecision.ts';
import { bytesOfHex } from '../../evm/hex.ts';
import { recoverSigner, type SignatureBackend } from '../../evm/recoverSigner.ts';
import { type TransferAuthorization, transferDigest } from '../../evm/transferDigest.ts';
import { type AuthorizationDomain, claimKeyOf, payloadHashOf } from './authorizationIdentity.ts';
import { checkTransfer, type MatchedOffer, matchOffer, mismatch, windowFault } from './matchOffer.ts';
import { type PlanOfTarget, sameResource } from './matchResource.ts';
import { decodePayment, type PaymentPayload } from './paymentPayload.ts';
import type { CheckedPayment } from './settlementProvider.ts';

/** A payment whose content fits this request; signature, ledger and provider come later. */
export type FittingPayment = CheckedPayment & {
  readonly provider: X402Provider;
  /** What was accepted and signed: the price in force, or the one before it within its grace (P1.6). */
  readonly amountMicro: number;
  readonly claimKey: Uint8Array;
  readonly payloadHash: Uint8Array;
  readonly domainContract: string;
  /**
   * What a known authorization may have without being judged by it: another price, another resource, a window that
   * is over. Its claim decides then (I5.25); for a new one this is the refusal (I5.14 checks 2, 3 and 5).
   */
  readonly late: IssuerError | null;
};

/** The checks that need neither ledger nor network (I5.14 checks 1 to 5 and 7). */
export type LocalChecks = {
  /** @throws IssuerError `invalid_payment` or `payment_mismatch` */
  fit(request: AccessRequest, header: { readonly text: string; readonly v1: boolean }): FittingPayment;
  /** True when the signature recovers to `from`; 65 bytes only (P2.22, P2.24). */
  signedByPayer(payment: FittingPayment): boolean;
};

/** Prepares the checks of one deployment: domains and digests are built once (P2.21). */
export function localChecks({
  deployment,
  payTo,
  v1Network,
  backend,
  planOf,
}: {
  deployment: Deployment;
  payTo: string;
  /** Name of the network for version 1 clients; null while they are not served (P2.49). */
  v1Network: string | null;
  backend: SignatureBackend;
  planOf: PlanOfTarget;
}): LocalChecks {
  const { x402, baseUrl } = deployment;
  const chainId = BigInt(x402.network.slice('eip155:'.length));
  const asset = x402.asset.toLowerCase();
  const wallet = x402.gateway?.verifyingContract.toLowerCase() ?? null;
  const exactDigest = transferDigest({
    name: x402.assetName,
    version: x402.assetVersion,
    chainId,
    verifyingContract: asset,
  });
  const gatewayDigest =
    wallet === null ? null : transferDigest({ ...gatewayDomain, chainId, verifyingContract: wallet });

  function domainOf(provider: X402Provider): AuthorizationDomain {
    const verifyingContract = provider === 'gateway_batched' ? (wallet ?? asset) : asset;
    return { network: x402.network, asset, verifyingContract };
  }

  function lateFault(
    payload: PaymentPayload,
    request: AccessRequest,
    matched: MatchedOffer,
  ): IssuerError | null {
    const { plan, servable, nowMs } = request;
    if (matched.amountDiffers) return priceChanged(payload, servable.priceMicroUsd);
    if (!sameResource({ resourceUrl: payload.resourceUrl, plan, baseUrl }, planOf))
      return mismatch('resource');
    return windowFault(payload, { provider: matched.provider, nowMs });
  }

  /** The offer of the price in force, else that of the price before it within its grace (P1.6, P2.13). */
  function offerTaken(payload: PaymentPayload, request: AccessRequest, v1Network: string | null) {
    const { servable, formerMicroUsd, presented } = request;
    const { provider } = presented.credentials;
    const offerAt = (amountMicroUsd: number): MatchedOffer => {
      const offered = requirements({
        deployment,
        amountMicroUsd,
        payTo,
        provider: provider === 'x402_exact' || provider === 'gateway_batched' ? provider : null,
      });
      return matchOffer(payload, offered, v1Network);
    };
    const current = offerAt(servable.priceMicroUsd);
    if (!current.amountDiffers || formerMicroUsd === null) return current;
    const former = offerAt(formerMicroUsd);
    return former.amountDiffers ? current : former;
  }

  return {
    fit(request, header) {
      const payload = decodePayment(header.text, { v1: header.v1 });
      const { plan } = request;
      const matched = offerTaken(payload, request, header.v1 ? v1Network : null);
      checkTransfer(payload, matched.requirement);
      const domain = domainOf(matched.provider);
      return {
        payload,
        requirement: matched.requirement,
        resourceUrl: `${baseUrl}${plan.path}${plan.query}`,
        provider: matched.provider,
        amountMicro: Number(matched.requirement.amount),
        claimKey: claimKeyOf(payload.authorization, domain),
        payloadHash: payloadHashOf(payload),
        domainContract: domain.verifyingContract,
        late: lateFault(payload, request, matched),
      };
    },
    signedByPayer({ provider, payload }) {
      // 65 bytes; anything longer is a contract's signature (P2.31)
      if (payload.signature.length !== 2 + 130) return false;
      const digestOf = provider === 'gateway_batched' ? gatewayDigest : exactDigest;
      if (digestOf === null) return false;
      const { authorization } = payload;
      const digest = digestOf(authorization satisfies TransferAuthorization);
      const signer = recoverSigner({ signature: bytesOfHex(payload.signature), digest }, backend);
      return signer === authorization.from;
    },
  };
}

function priceChanged({ accepted, authorization }: PaymentPayload, priceMicroUsd: number): IssuerError {
  const signed = accepted.version === 2 ? accepted.amount : authorization.value;
  const previous = Number(signed) / 1e6;
  return new IssuerError({
    code: 'price_changed',
    message: `The price is ${(priceMicroUsd / 1e6).toFixed(2)} USD now.`,
    hint: 'Sign accepts of this answer.',
    details: { previous_usd: previous, quoted_cost_usd: priceMicroUsd / 1e6 },
  });
}
