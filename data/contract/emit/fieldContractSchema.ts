import { z } from 'zod';
import { chargeStatuses, discoveryEnvelope } from '../billing/billingEnvelope.ts';
import { toolPaymentWay } from '../tools/toolPayment.ts';
import { datetime, int, sha256 } from '../values/primitives.ts';
import { versions } from '../values/versions.ts';

const field = z.object({
  path: z.string(),
  type: z.string(),
  nullable: z.boolean(),
  required: z.boolean(),
  enum: z.array(z.string()).nullable(),
  description: z.string(),
  resource: z.string(),
});

/** FieldContractResponse (I4.F02.2). */
export const fieldContract = discoveryEnvelope.extend({
  service: z.literal(versions.service),
  version: z.literal(versions.fieldContract),
  contract_revision: z.literal(versions.contractRevision),
  generated_at: datetime,
  fields: z.array(field),
  billing: z.record(z.string(), z.string()),
  grant_auth: z.object({
    supported: z.literal(true),
    mode: z.literal('signed_wallet_pre_payment_identity'),
    challenge_endpoint: z.string(),
    session_endpoint: z.string(),
    session_body: z.object({ wallet: z.string(), nonce: z.string(), signature: z.string() }),
    session_ttl_seconds: int,
    challenge_ttl_seconds: int,
    token_header: z.string(),
    authorization_bearer: z.string(),
    message_template: z.string(),
  }),
  grant_authentication: z.object({ alias_of: z.literal('grant_auth'), supported: z.literal(true) }),
  reserved_members: z.array(z.string()),
  enums: z.record(z.string(), z.array(z.string())),
  errors: z.array(z.object({ code: z.string(), status: int, title: z.string(), retryable: z.boolean() })),
  not_found: z.object({
    version: z.literal(versions.notFound),
    reason_codes: z.array(z.string()),
    coverage_states: z.array(z.string()),
  }),
  alpha_weights: z.record(z.string(), z.unknown()),
  mcp: z.object({
    configuration_schema: z.record(z.string(), z.unknown()),
    protocol_versions: z.array(z.string()),
    tools: z.array(z.string()),
    payment_ways: z.array(toolPaymentWay),
  }),
  integrity: z.object({
    digest_algorithm: z.literal('sha-256'),
    canonical_form: z.object({
      id: z.literal('canon-1'),
      definition: z.string(),
      test_vector: z.object({ json: z.string(), sha256 }),
    }),
    manifest_url: z.string(),
    signature_algorithm: z.literal('Ed25519'),
    /** null until the first night has made the key of this deployment. */
    key_id: z.string().nullable(),
    public_key: z.string().nullable(),
    /** Keys that earlier releases are signed with. */
    retired_keys: z.array(z.object({ key_id: z.string(), public_key: z.string() })),
    /** Signs receipts and packages of renders; null until the first render has made it. */
    render_key: z.object({ key_id: z.string(), public_key: z.string() }).nullable(),
  }),
  receipts: z.object({
    schema_id: z.literal(versions.settlementReceipt),
    transitions: z.array(z.object({ from: z.enum(chargeStatuses).nullable(), to: z.enum(chargeStatuses) })),
  }),
});

export type FieldContract = z.infer<typeof fieldContract>;
