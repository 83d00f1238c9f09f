import type { Deployment } from '../../data/contract/emit/deployment.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type PaymentRail, type PaymentWay, paidRails } from '../../data/contract/routes/paymentRail.ts';
import type { Route } from '../../data/contract/routes/route.ts';
import type { OfferedTool } from '../../data/contract/tools/offeredTools.ts';
import { inBandMember, paymentMember } from '../../data/contract/tools/toolPayment.ts';
import type { Presented } from '../access/accessDecision.ts';
import type { Gate } from '../access/gate.ts';
import type { AskedTool, EndpointCall } from './endpointCall.ts';

/** A tool call's way to pay, with the payment of its frame among its credentials. */
export type ShownPayment = { readonly way: PaymentWay; readonly presented: Presented };

/** A tool that was found, as far as its payment is concerned. */
type PayableTool = Pick<AskedTool, 'name' | 'meta'> & {
  readonly offered: Pick<OfferedTool, 'keyOnly'>;
  /** The row of the endpoint at the price in force. */
  readonly endpoint: Route;
};

/**
 * Makes the reader of how a call is paid, by the first line that holds (P10.4), its credentials judged as those of any paid
 * route (I4.MCP.22). A payment inside the frame goes to the gate with the rail it names, so that one gate judges every
 * payment.
 *
 * The reader throws IssuerError `api_key_required`, `conflicting_credentials`, and what the gate refuses.
 */
export function paymentReader({
  gate,
  deployment,
  inBandAuto,
}: {
  readonly gate: Pick<Gate, 'shown' | 'withPayment' | 'check'>;
  readonly deployment: Deployment;
  readonly inBandAuto: boolean;
}): (call: EndpointCall, asked: PayableTool) => ShownPayment {
  const isPaid = (way: PaymentWay): boolean => paidRails({ family: 'mcp' }, way, deployment).length > 0;
  // no rail that is on takes a payment by header
  const frameOnly = isPaid('in_band') && !isPaid('http');
  const { mpp } = deployment;
  return ({ request, presented, plan }, { meta, endpoint, offered, name }) => {
    const { payment: byHeader, apiKey: hasKey } = gate.shown(presented);
    if (offered.keyOnly && !hasKey) throw keyRequired(`${name} is opened by an API key alone.`);
    const inFrame = paymentsOf(meta);
    if (inFrame.length + Number(byHeader) > 1) throw paidTwice(inFrame, byHeader);
    const [framed] = inFrame;
    const wish = meta[inBandMember];
    const { 'accept-payment': accepted, 'mcp-protocol-version': revision } = request.headers;
    const wouldBeFramed =
      frameOnly ||
      (mpp !== null && accepted !== undefined && paysMppAlone(accepted, mpp.method)) ||
      (inBandAuto && revision !== undefined);
    const isFramed =
      framed !== undefined || (!byHeader && (typeof wish === 'boolean' ? wish : wouldBeFramed));
    const payment: ShownPayment = {
      way: isFramed ? 'in_band' : 'http',
      presented: framed === undefined ? presented : gate.withPayment(presented, framed),
    };
    gate.check({ presented: payment.presented, request, route: endpoint, canonicalPath: null });
    const wantsKey = plan.params.values.get('paymentMode') === 'internal';
    if (wantsKey && !hasKey) throw keyRequired('paymentMode=internal needs an API key.');
    return payment;
  };
}

function keyRequired(message: string): IssuerError {
  return new IssuerError({
    code: 'api_key_required',
    message,
    hint: 'Send it as Authorization: Bearer or x-api-key, or call a tool that is paid by the call.',
  });
}

type Meta = Readonly<Record<string, unknown>>;

/** How a call is answered whose payment could not be read: inside the frame where its one payment was (P10.8). */
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

/** How clients of MPP name a payment of x402, whose challenge they read as one of this method. */
const x402Offer = { method: 'evm', intent: 'charge' };

type Offer = { readonly method: string; readonly intent: string };
type Preference = Offer & { readonly weight: number };

/**
 * Whether a request says by `Accept-Payment` that it pays with our method of MPP and not with x402: a challenge by status
 * and header is then of no use to it (P10.5a). Without the header, and where it cannot be read, it says nothing.
 */
export function paysMppAlone(lines: readonly string[] | undefined, method: string): boolean {
  const preferences = (lines ?? []).join(',').split(',').map(preferenceOf);
  if (!preferences.every((one) => one !== null)) return false;
  return admits(preferences, { method, intent: 'charge' }) && !admits(preferences, x402Offer);
}

// an entry that is more specific counts before one with a greater weight, as in the reference client
function admits(preferences: readonly Preference[], offer: Offer): boolean {
  const fitting = preferences.filter(
    ({ method, intent }) =>
      (method === '*' || method === offer.method) && (intent === '*' || intent === offer.intent),
  );
  const [best] = fitting.sort((a, b) => specificity(b) - specificity(a) || b.weight - a.weight);
  return best !== undefined && best.weight > 0;
}

function specificity({ method, intent }: Offer): number {
  return Number(method !== '*') + Number(intent !== '*');
}

/** One entry, `tempo/charge` or `tempo/*;q=0.5`; null for anything else. */
function preferenceOf(text: string): Preference | null {
  const [, method, intent, weight = '1'] =
    /^ *([a-z0-9-]+|\*) *\/ *([a-z0-9-]+|\*) *(?:; *q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))? *$/.exec(text) ?? [];
  return method === undefined || intent === undefined ? null : { method, intent, weight: Number(weight) };
}
