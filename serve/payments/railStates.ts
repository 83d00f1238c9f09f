import type { Config } from '../config/config.ts';
import { loadSignatureBackend } from '../evm/recoverSigner.ts';

/** Which rails a configuration switches on and who settles them, as `check-config` prints it (P0.6, P2.23). */
export type RailStates = {
  readonly x402_exact: 'facilitator' | 'self' | 'challenge_only' | 'shadow' | 'off';
  readonly gateway_batched: 'on' | 'challenge_only' | 'shadow' | 'off';
  readonly x402_version_1: 'on' | 'off';
  /** In shadow mode it shows challenges and takes no payment. */
  readonly mpp: 'on' | 'challenge_only' | 'shadow' | 'off';
  readonly checkout: 'on' | 'off';
  /** Who recovers signatures; `noble` is about twenty times slower. */
  readonly signatures: 'native' | 'noble';
};

/** The rails of one configuration. */
export function railStates({ deployment, payments }: Config): RailStates {
  const { payTo, gateway } = deployment.x402;
  const state = <S extends string>(on: boolean, settled: S) => {
    if (!on) return 'off';
    if (payments.challengeOnly) return 'challenge_only';
    return payments.shadow ? 'shadow' : settled;
  };
  const exact = payments.exact === 'off' ? 'facilitator' : payments.exact;
  return {
    x402_exact: state(payTo !== null && payments.exact !== 'off', exact),
    gateway_batched: state(payTo !== null && gateway !== null, 'on'),
    x402_version_1: payments.v1Network === null ? 'off' : 'on',
    mpp: state(deployment.mpp !== null, 'on'),
    checkout: deployment.checkoutEnabled ? 'on' : 'off',
    signatures: loadSignatureBackend().name,
  };
}
