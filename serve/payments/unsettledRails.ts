import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type AccessRequest, type Rail, type Refuse, refuse } from '../access/accessDecision.ts';
import { type Payment, paymentOf } from '../access/credentials.ts';
import { decodeCredential } from './mpp/credential.ts';
import { decodePayment } from './x402/paymentPayload.ts';

/**
 * The rails of payments that nothing settles here: a well-formed payment is 503, and nothing is verified, claimed or
 * written (P0.7). They stand after the rails that settle.
 */
export function unsettledRails(deployment: { readonly mpp: object | null }): readonly Rail[] {
  return [
    unsettled('x402', {
      textOf: (shown) => (shown.rail === 'x402' && !shown.v1 ? shown.text : null),
      decode: decodePayment,
    }),
    unsettled('mpp', {
      textOf: (shown) => (shown.rail === 'mpp' && deployment.mpp !== null ? shown.text : null),
      decode: decodeCredential,
    }),
  ];
}

function unsettled(
  name: 'x402' | 'mpp',
  { textOf, decode }: { textOf(shown: Payment): string | null; decode(text: string): unknown },
): Rail {
  const shownText = ({ presented, servable, head }: AccessRequest): string | null => {
    const shown = head ? null : paymentOf(presented.credentials, servable.route);
    return shown === null ? null : textOf(shown);
  };
  return {
    name,
    presented: (request) => shownText(request) !== null,
    async check(request): Promise<Refuse> {
      decode(shownText(request) ?? '');
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
