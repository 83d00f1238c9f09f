import { Agent } from 'undici';
import { z } from 'zod';
import type { CheckoutConfig } from '../config/checkoutConfig.ts';
import { errorName } from '../log/log.ts';
import { jsonOf } from '../outbound/postJson.ts';

// the calls of the card provider that are needed, by its public API shapes (P5.6)

/** A checkout at the provider, as far as it is compared with ours. */
export type ProviderSession = {
  readonly id: string;
  readonly url: string | null;
  readonly checkoutId: string | null;
  readonly amountMinor: number | null;
  readonly currency: string | null;
  readonly live: boolean;
};

/** `refused`: the provider's definite no. `unclear`: it may or may not have been done. */
export type ProviderAnswer<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string }
  | { readonly kind: 'unclear'; readonly reason: string };

/** `open`: it can be paid. `complete`: it was, or its payment is being worked on. `expired`: it never will be. */
export type SessionStatus = 'open' | 'complete' | 'expired';

export type NewProviderSession = {
  readonly checkoutId: string;
  readonly amountMinor: number;
  readonly creditMicro: number;
  /** Unix seconds; the same for every repeat, or the provider would refuse the repeated key. */
  readonly expiresSeconds: number;
};

export type StripeClient = {
  create(session: NewProviderSession): Promise<ProviderAnswer<ProviderSession>>;
  /** Asks for the end of a session, and says whether it can still be paid or was: `complete` waits for its event. */
  expire(sessionId: string): Promise<ProviderAnswer<SessionStatus>>;
  /** The checkout a payment came from; null when the provider knows none. */
  ofPayment(paymentIntent: string): Promise<ProviderAnswer<ProviderSession | null>>;
  close(): Promise<void>;
};

/** Version of the provider's API these shapes are of. */
export const stripeVersion = '2025-09-30.clover';
const timeoutMs = 10_000;
const maxAnswerBytes = 256 * 1024;

const session = z.object({
  id: z.string().min(1).max(255),
  url: z.string().nullable(),
  client_reference_id: z.string().nullable(),
  amount_total: z.int().nullable(),
  currency: z.string().nullable(),
  livemode: z.boolean(),
});
const standing = z.object({ id: z.string(), status: z.enum(['open', 'complete', 'expired']) });
const sessions = z.object({ data: z.array(session) });
const refusal = z.object({ error: z.object({ code: z.string().optional(), type: z.string() }) });

/** Calls the configured origin and nothing else (S28); no redirects, answers bounded. */
export function stripeClient(config: CheckoutConfig): StripeClient {
  const base = new URL(config.apiBase);
  const agent = new Agent({ connections: 8, connect: { timeout: timeoutMs } });
  const headers = { authorization: `Bearer ${config.secretKey}`, 'stripe-version': stripeVersion };

  async function call<T>({
    path,
    form,
    idempotencyKey,
    read,
  }: {
    path: string;
    form: URLSearchParams | null;
    idempotencyKey: string | null;
    read: (json: unknown) => T | null;
  }): Promise<ProviderAnswer<T>> {
    try {
      const answer = await agent.request({
        origin: base.origin,
        path: `${base.pathname.replace(/\/$/, '')}${path}`,
        method: form === null ? 'GET' : 'POST',
        headers: {
          ...headers,
          ...(form === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
          ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
        },
        body: form === null ? null : form.toString(),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const json = jsonOf(await bounded(answer.body));
      const status = answer.statusCode;
      const value = status === 200 ? read(json) : null;
      if (value !== null) return { kind: 'answer', value };
      const refused = refusal.safeParse(json);
      // a conflict is another request with this key under way; its outcome is not known
      if (status >= 400 && status < 500 && status !== 409 && status !== 429 && refused.success)
        return { kind: 'refused', status, code: refused.data.error.code ?? refused.data.error.type };
      return { kind: 'unclear', reason: `status_${status}` };
    } catch (error) {
      return { kind: 'unclear', reason: errorName(error) };
    }
  }

  return {
    create: (input) =>
      call({
        path: '/v1/checkout/sessions',
        form: formOf(input, config),
        idempotencyKey: input.checkoutId,
        read: (json) => {
          const found = session.safeParse(json);
          return found.success ? sessionOf(found.data) : null;
        },
      }),
    async expire(sessionId) {
      const path = `/v1/checkout/sessions/${encodeURIComponent(sessionId)}`;
      const read = (json: unknown): SessionStatus | null => {
        const found = standing.safeParse(json);
        return found.success && found.data.id === sessionId ? found.data.status : null;
      };
      // expiring twice is expiring once, so this needs no key
      const form = new URLSearchParams();
      const ended = await call({ path: `${path}/expire`, form, idempotencyKey: null, read });
      // the provider's no says that it is open no more, not what it is
      return ended.kind === 'refused' ? call({ path, form: null, idempotencyKey: null, read }) : ended;
    },
    async ofPayment(paymentIntent) {
      const found = await call({
        path: `/v1/checkout/sessions?payment_intent=${encodeURIComponent(paymentIntent)}&limit=1`,
        form: null,
        idempotencyKey: null,
        read: (json) => {
          const list = sessions.safeParse(json);
          return list.success ? list.data.data.map(sessionOf) : null;
        },
      });
      return found.kind === 'answer' ? { kind: 'answer', value: found.value[0] ?? null } : found;
    },
    close: () => agent.destroy(),
  };
}

function formOf(
  { amountMinor, checkoutId, creditMicro, expiresSeconds }: NewProviderSession,
  config: CheckoutConfig,
): URLSearchParams {
  return new URLSearchParams({
    mode: 'payment',
    'line_items[0][quantity]': '1',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': String(amountMinor),
    'line_items[0][price_data][product_data][name]': 'Issuer Intelligence credit',
    client_reference_id: checkoutId,
    'metadata[checkout_id]': checkoutId,
    'metadata[credit_micro]': String(creditMicro),
    success_url: config.successUrl,
    cancel_url: config.cancelUrl,
    expires_at: String(expiresSeconds),
  });
}

function sessionOf(found: z.infer<typeof session>): ProviderSession {
  return {
    id: found.id,
    url: found.url,
    checkoutId: found.client_reference_id,
    amountMinor: found.amount_total,
    currency: found.currency,
    live: found.livemode,
  };
}

async function bounded(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxAnswerBytes) throw new RangeError('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
