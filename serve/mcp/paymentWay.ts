import { IssuerError } from '../../contract/errors/issuerError.ts';
import type { Presented } from '../access/accessDecision.ts';
import type { Gate } from '../access/gate.ts';

/** How the payment of a tool call travels: by header and status, or inside the frames (P10.1, P10.2). */
export type PaymentWay = 'http' | 'in_band';

/** A tool call's way to pay, with the payment of its frame among its credentials. */
export type ShownPayment = { readonly way: PaymentWay; readonly presented: Presented };

/**
 * Decides how a call is paid, by the first line that holds (P10.4). A payment inside the frame is put where the header
 * would stand, so that one gate judges both.
 *
 * @throws IssuerError `conflicting_credentials` or `invalid_payment`
 */
export function paymentWay({
  gate,
  presented,
  meta,
  namesRevision,
  auto,
}: {
  gate: Pick<Gate, 'shown' | 'withPayment'>;
  presented: Presented;
  /** `params._meta` */
  meta: Readonly<Record<string, unknown>>;
  /** The request carries `MCP-Protocol-Version`. */
  namesRevision: boolean;
  /** That header decides where nothing else does (`II_PAY_MCP_INBAND`). */
  auto: boolean;
}): ShownPayment {
  const byHeader = gate.shown(presented).payment;
  const inFrame = meta['x402/payment'];
  if (byHeader && inFrame !== undefined) throw paidTwice();
  if (byHeader) return { way: 'http', presented };
  if (inFrame !== undefined) return { way: 'in_band', presented: gate.withPayment(presented, inFrame) };
  const wish = meta['x402/in-band'];
  if (typeof wish === 'boolean') return { way: wish ? 'in_band' : 'http', presented };
  return { way: namesRevision && auto ? 'in_band' : 'http', presented };
}

function paidTwice(): IssuerError {
  return new IssuerError({
    code: 'conflicting_credentials',
    message: 'PAYMENT-SIGNATURE and _meta["x402/payment"] carry two payments.',
    hint: 'Send one of them.',
    details: { headers: ['payment-signature'] },
  });
}
