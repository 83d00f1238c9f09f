import { IssuerError } from '../../contract/errors/issuerError.ts';
import { type AccessRequest, type Refuse, refuse } from '../access/accessDecision.ts';
import type { Rail } from '../access/rail.ts';
import { decodeCredential } from './mpp/credential.ts';
import { decodePayment } from './x402/paymentPayload.ts';

/**
 * The rails of payments that nothing settles here: a well-formed payment is 503, and nothing is verified, claimed or
 * written (P0.7). They stand after the rails that settle.
 */
export function unsettledRails(deployment: { readonly mpp: object | null }): readonly Rail[] {
  return [
    unsettled('x402', {
      textOf: ({ presented, servable }) =>
        servable.route.family === 'mpp' ? null : presented.credentials.payment,
      decode: decodePayment,
    }),
    unsettled('mpp', {
      textOf: ({ presented, servable }) =>
        servable.route.family === 'mpp' && deployment.mpp !== null ? presented.credentials.mpp : null,
      decode: decodeCredential,
    }),
  ];
}

function unsettled(
  name: 'x402' | 'mpp',
  { textOf, decode }: { textOf(request: AccessRequest): string | null; decode(text: string): unknown },
): Rail {
  return {
    name,
    presented: (request) => !request.head && textOf(request) !== null,
    async check(request): Promise<Refuse> {
      decode(textOf(request) ?? '');
      return refuse(
        new IssuerError({
          code: 'settlement_unavailable',
          message: 'Payments are not settled on this deployment yet; nothing was charged.',
          hint: 'API keys keep working.',
          details: { rail: name },
        }),
      );
    },
  };
}
