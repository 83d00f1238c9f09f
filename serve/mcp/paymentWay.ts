import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { PaymentRail } from '../../data/contract/routes/paymentRail.ts';
import { inBandMember, paymentMember } from '../../data/contract/tools/toolPayment.ts';
import type { Presented } from '../access/accessDecision.ts';
import type { Gate } from '../access/gate.ts';

/** How the payment of a tool call travels: by header and status, or inside the frames (P10.1, P10.2). */
export type PaymentWay = 'http' | 'in_band';

/** A tool call's way to pay, with the payment of its frame among its credentials. */
export type ShownPayment = { readonly way: PaymentWay; readonly presented: Presented };

type Meta = Readonly<Record<string, unknown>>;

/**
 * Decides how a call is paid, by the first line that holds (P10.4). A payment inside the frame goes to the gate with the
 * rail it names, so that one gate judges every payment.
 *
 * @throws IssuerError `conflicting_credentials` or `invalid_payment`
 */
export function paymentWay({
  gate,
  presented,
  meta,
  namesRevision,
  auto,
  frameOnly,
}: {
  gate: Pick<Gate, 'shown' | 'withPayment'>;
  presented: Presented;
  /** `params._meta` */
  meta: Meta;
  /** The request carries `MCP-Protocol-Version`. */
  namesRevision: boolean;
  /** That header decides where nothing else does (`II_PAY_MCP_INBAND`). */
  auto: boolean;
  /** No rail that is on, and that the client pays on, takes its payment by header. */
  frameOnly: boolean;
}): ShownPayment {
  const byHeader = gate.shown(presented).payment;
  const inFrame = paymentsOf(meta);
  if (inFrame.length + (byHeader ? 1 : 0) > 1) throw paidTwice(inFrame, byHeader);
  if (byHeader) return { way: 'http', presented };
  const [framed] = inFrame;
  if (framed !== undefined) return { way: 'in_band', presented: gate.withPayment(presented, framed) };
  const wish = meta[inBandMember];
  if (typeof wish === 'boolean') return { way: wish ? 'in_band' : 'http', presented };
  return { way: frameOnly || (namesRevision && auto) ? 'in_band' : 'http', presented };
}

/** How a call is answered whose payment could not be looked at: inside the frame where its one payment was (P10.8). */
export function wayOfRefusal(byHeader: boolean, meta: Meta): PaymentWay {
  return !byHeader && paymentsOf(meta).length === 1 ? 'in_band' : 'http';
}

type Framed = { readonly rail: PaymentRail; readonly payment: unknown };

function paymentsOf(meta: Meta): readonly Framed[] {
  return rails.flatMap((rail) => {
    const payment = meta[paymentMember[rail]];
    return payment === undefined ? [] : [{ rail, payment }];
  });
}

const rails: readonly PaymentRail[] = ['x402', 'mpp'];

function paidTwice(inFrame: readonly Framed[], byHeader: boolean): IssuerError {
  const members = inFrame.map(({ rail }) => `_meta["${paymentMember[rail]}"]`);
  return new IssuerError({
    code: 'conflicting_credentials',
    message: `${[...(byHeader ? ['PAYMENT-SIGNATURE'] : []), ...members].join(' and ')} carry two payments.`,
    hint: 'Send one of them.',
    details: { headers: byHeader ? ['payment-signature'] : [] },
  });
}
