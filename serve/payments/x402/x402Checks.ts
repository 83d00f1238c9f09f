import {
  exactMinValiditySeconds,
  gatewayDomain,
  gatewayMinValiditySeconds,
  type Requirement,
  requirements,
  type X402Provider,
} from '../../../data/contract/billing/requirement.ts';
import type { Deployment } from '../../../data/contract/emit/deployment.ts';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { AccessRequest } from '../../access/accessDecision.ts';
import { bytesOfHex } from '../../evm/ethereumBytes.ts';
import { recoverSigner, type SignatureBackend } from '../../evm/recoverSigner.ts';
import { type TransferAuthorization, transferDigest } from '../../evm/transferDigest.ts';
import type { RoutePlan } from '../../routing/routePlan.ts';
import {
  type AuthorizationDomain,
  claimKeyOf,
  decodePayment,
  type PaymentPayload,
  payloadHashOf,
} from './paymentPayload.ts';
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

/** The offered entry a payment takes, and whether only its amount is another one (P2.13). */
type MatchedOffer = {
  readonly provider: X402Provider;
  readonly requirement: Requirement;
  readonly amountDiffers: boolean;
};

/**
 * Finds the offered requirement a payment accepted. Dispatch is by `extra.name`, never by scheme and network, which
 * both entries share (P2.12). Version 1 knows the exact entry only (P2.50).
 *
 * @throws IssuerError `payment_mismatch`
 */
export function matchOffer(
  { accepted, authorization }: PaymentPayload,
  offered: readonly Requirement[],
  v1Network: string | null,
): MatchedOffer {
  if (accepted.version === 1) {
    const exact = offered.find((entry) => entry.extra['name'] !== gatewayDomain.name);
    if (exact === undefined) throw mismatch('extra_name');
    if (accepted.scheme !== 'exact') throw mismatch('scheme');
    if (accepted.network !== v1Network) throw mismatch('network');
    // version 1 repeats no amount: what was accepted is what was signed
    const amountDiffers = authorization.value !== BigInt(exact.amount);
    return { provider: 'x402_exact', requirement: exact, amountDiffers };
  }
  const requirement = offered.find((entry) => entry.extra['name'] === accepted.extraName);
  if (requirement === undefined) throw mismatch('extra_name');
  const contract = requirement.extra['verifyingContract'];
  const expected = typeof contract === 'string' ? contract.toLowerCase() : null;
  if (accepted.scheme !== requirement.scheme) throw mismatch('scheme');
  if (accepted.network !== requirement.network) throw mismatch('network');
  if (accepted.asset !== requirement.asset.toLowerCase()) throw mismatch('asset');
  if (accepted.payTo !== requirement.payTo.toLowerCase()) throw mismatch('pay_to');
  if (accepted.extraVersion !== requirement.extra['version']) throw mismatch('extra_version');
  // more members under `extra` are not compared, so exact compares no contract (P2.13)
  if (expected !== null && accepted.verifyingContract !== expected) throw mismatch('verifying_contract');
  return {
    provider: expected === null ? 'x402_exact' : 'gateway_batched',
    requirement,
    amountDiffers: accepted.amount !== requirement.amount,
  };
}

/**
 * Checks that the signed transfer pays what was accepted, to our address, and not from it (I5.14 check 4, P2.20).
 *
 * @throws IssuerError `payment_mismatch`
 */
function checkTransfer(payload: PaymentPayload, requirement: Requirement): void {
  const { accepted, authorization } = payload;
  const payTo = requirement.payTo.toLowerCase();
  if (authorization.to !== payTo) throw mismatch('authorization_to');
  if (accepted.version === 2 && authorization.value !== BigInt(accepted.amount))
    throw mismatch('authorization_value');
  if (authorization.from === payTo) throw mismatch('self_transfer');
}

/** Why an authorization cannot be used now (I5.14 check 5, P2.19); null when it can. */
function windowFault(
  { authorization }: PaymentPayload,
  { provider, nowMs }: { readonly provider: X402Provider; readonly nowMs: number },
): IssuerError | null {
  const now = BigInt(Math.floor(nowMs / 1000));
  const least = provider === 'x402_exact' ? exactMinValiditySeconds : gatewayMinValiditySeconds;
  if (authorization.validAfter > now) {
    return new IssuerError({
      code: 'payment_not_yet_valid',
      message: 'The authorization is not valid yet.',
      hint: 'Set validAfter to 0 or to a time that has passed, and check the clock of this client.',
    });
  }
  if (authorization.validBefore < now + BigInt(least)) {
    return new IssuerError({
      code: 'payment_expired',
      message: `The authorization is not valid for ${least} seconds more.`,
      hint: 'Sign the challenge of this answer, and check the clock of this client.',
    });
  }
  return null;
}

/** The refusal of a payment that does not fit this request (I5.14 checks 2 to 4). */
function mismatch(reason: string): IssuerError {
  return new IssuerError({
    code: 'payment_mismatch',
    message: 'The payment does not fit this request.',
    hint: 'Sign one of accepts of this answer and send it with this same request.',
    details: { reason },
  });
}

/** Reads a request line the way the server does; null when it is none of ours. */
export type PlanOfTarget = (method: string, target: string) => RoutePlan | null;

/**
 * True when the echoed resource is this request: same path, same normalized query; scheme, host and port are not
 * compared because proxies rewrite them (P2.14, S21). A payment without an echo fits every request.
 */
function sameResource(
  {
    resourceUrl,
    plan,
    baseUrl,
  }: { readonly resourceUrl: string | null; readonly plan: RoutePlan; readonly baseUrl: string },
  planOf: PlanOfTarget,
): boolean {
  if (resourceUrl === null || resourceUrl === `${baseUrl}${plan.path}${plan.query}`) return true;
  const target = /^https?:\/\/[^/?#]+(\/[^#]*)$/i.exec(resourceUrl)?.[1];
  const echoed = target === undefined ? null : planOf(plan.route.method, target);
  return (
    echoed !== null &&
    echoed.route.id === plan.route.id &&
    echoed.path === plan.path &&
    echoed.query === plan.query
  );
}
