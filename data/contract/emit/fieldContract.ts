import { billingEnvelope, discoveryMembers, reservedMembers } from '../billing/billingEnvelope.ts';
import { grantMessageTemplate, grantSession } from '../billing/grants.ts';
import { receiptTransitions } from '../billing/receiptTransitions.ts';
import { problemCodes } from '../errors/errorCodes.ts';
import { notFoundReasons, problem } from '../errors/problem.ts';
import { fieldMeaning } from '../meanings/fieldMeaning.ts';
import { describingSchemas, payloads, type SchemaId } from '../payloads/payloads.ts';
import type { Route } from '../routes/route.ts';
import { routes as allRoutes } from '../routes/routes.ts';
import { offeredTools } from '../tools/offeredTools.ts';
import type { ToolPaymentWay } from '../tools/toolPayment.ts';
import { configurationSchema, supportedRevisions } from '../tools/toolProtocol.ts';
import { publishedEnums } from '../values/enums.ts';
import { versions } from '../values/versions.ts';
import type { PublishedKey } from './didDocument.ts';
import type { FieldContract } from './fieldContractSchema.ts';
import { freeAnswers, problemStatuses, statusText } from './freeAnswers.ts';
import { type JsonSchema, jsonSchemaOf } from './jsonSchema.ts';
import { billingMeanings } from './pricing.ts';

/**
 * Emits the field contract: every member of every live payload, closed lists, codes, weights and how answers can
 * be checked (I4.F02, I4.37).
 *
 * Pure: the same routes, weights and key give the same document. For one route alone it is the part about that route: without
 * the codes of statuses it never answers with, and without the weights of a score it does not carry (I4.F18.2).
 */
export function emitFieldContract({
  alphaWeights,
  releaseKeys,
  renderKey = null,
  routes,
  paymentWays = [],
}: {
  /** Weights and points of the scores by parameter name, from the parameter registry. */
  alphaWeights: Readonly<Record<string, unknown>>;
  /** Public halves of the keys that releases are signed with, the one in use first; none before the first night. */
  releaseKeys: readonly PublishedKey[];
  /** Public half of the key that renders are signed with; null before the first. */
  renderKey?: PublishedKey | null;
  routes?: readonly Route[];
  /** Ways that tool calls are paid. */
  paymentWays?: readonly ToolPaymentWay[];
}): FieldContract {
  const [releaseKey, ...retiredKeys] = releaseKeys;
  const live = (routes ?? allRoutes).filter((route) => route.status === 'live');
  const fields = fieldsOf(live);
  return {
    service: versions.service,
    version: versions.fieldContract,
    contract_revision: versions.contractRevision,
    generated_at: versions.contractDate,
    fields,
    billing: { ...billingMeanings },
    grant_auth: {
      supported: true,
      mode: 'signed_wallet_pre_payment_identity',
      challenge_endpoint: grantSession.challenge_endpoint,
      session_endpoint: grantSession.session_endpoint,
      session_body: { wallet: '0x…', nonce: '24 characters', signature: '0x…, 65 bytes' },
      session_ttl_seconds: grantSession.session_ttl_seconds,
      challenge_ttl_seconds: grantSession.challenge_ttl_seconds,
      token_header: grantSession.token_header,
      authorization_bearer: grantSession.authorization_bearer,
      message_template: grantMessageTemplate,
    },
    grant_authentication: { alias_of: 'grant_auth', supported: true },
    reserved_members: [...reservedMembers],
    enums: Object.fromEntries(Object.entries(publishedEnums).map(([name, values]) => [name, [...values]])),
    errors: errorsOf(live),
    not_found: {
      version: versions.notFound,
      reason_codes: Object.keys(notFoundReasons),
      coverage_states: [...new Set(Object.values(notFoundReasons).map((reason) => reason.coverage))],
    },
    alpha_weights: fields.some(({ path }) => path.endsWith('alpha_score')) ? { ...alphaWeights } : {},
    mcp: {
      configuration_schema: configurationSchema,
      protocol_versions: [...supportedRevisions],
      tools: offeredTools(routes ?? allRoutes).map(({ tool }) => tool.name),
      payment_ways: [...paymentWays],
    },
    integrity: {
      digest_algorithm: 'sha-256',
      canonical_form: {
        id: 'canon-1',
        definition:
          'RFC 8785, with one exception: a filed integer or decimal is printed with its exact digits in the shortest decimal form.',
        test_vector: {
          json: '{"v":9007199254740993}',
          sha256: 'b33840c3287663f6da0c495884bd8d587474de0391f249e29a4115fd1229b6e1',
        },
      },
      manifest_url: '/.well-known/artifact-manifest.json',
      signature_algorithm: 'Ed25519',
      key_id: releaseKey?.keyId ?? null,
      public_key: releaseKey?.publicKey ?? null,
      retired_keys: retiredKeys.map(shownKey),
      render_key: renderKey === null ? null : shownKey(renderKey),
    },
    receipts: {
      schema_id: versions.settlementReceipt,
      transitions: receiptTransitions.map(({ from, to }) => ({ from, to })),
    },
    ...discoveryMembers,
  };
}

function shownKey({ keyId, publicKey }: PublishedKey): { key_id: string; public_key: string } {
  return { key_id: keyId, public_key: publicKey };
}

/** The codes of the statuses that these routes answer with, and of those that belong to no class of routes. */
function errorsOf(live: readonly Route[]): FieldContract['errors'] {
  const answered = new Set(live.flatMap(problemStatuses));
  return Object.entries(problemCodes)
    .filter(([, { status }]) => answered.has(status) || statusText[status] === undefined)
    .map(([code, { status, title, retryable = false }]) => ({ code, status, title, retryable }));
}

function fieldsOf(live: readonly Route[]): FieldContract['fields'] {
  const used = new Set(
    live.flatMap(({ id, schemaId }) => (schemaId === null ? [id] : describingSchemas(schemaId))),
  );
  const isSold = live.some(({ family }) => family !== 'free');
  const answered = resources.filter(
    ({ owner, resource }) =>
      (owner === null && (isSold || resource !== 'envelope')) || (owner !== null && used.has(owner)),
  );
  // routes with the same answer share its fields
  const byName = new Map(answered.map((one) => [one.resource, one]));
  return [...byName].flatMap(([resource, { schema, embeds }]) =>
    fieldPaths(jsonSchemaOf(schema, new Map(embeds.map((one) => [one.schema, { type: 'object' }])))).map(
      (field) => ({
        ...field,
        enum: field.enum === null ? null : [...field.enum],
        description: fieldMeaning(resource, field.path),
        resource,
      }),
    ),
  );
}

/** The resource under which the fields of a route's own answer are listed; null for one without fields. */
export function resourceOf({ id, schemaId }: Pick<Route, 'id' | 'schemaId'>): string | null {
  const name = freeAnswers[id]?.name;
  return schemaId ?? (name === undefined ? null : documentResource(name));
}

function documentResource(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}

// the envelope belongs to every route that is sold, problems to every route
const resources = [
  ...(Object.keys(payloads) as SchemaId[]).map((id) => ({
    owner: id as string | null,
    resource: id as string,
    schema: payloads[id].schema,
    // their fields stand under their own names
    embeds: payloads[id].embeds,
  })),
  { owner: null, resource: 'envelope', schema: billingEnvelope, embeds: [] },
  { owner: null, resource: 'problem', schema: problem, embeds: [] },
  ...Object.entries(freeAnswers).map(([owner, { name, schema }]) => ({
    owner,
    resource: documentResource(name),
    schema,
    embeds: [],
  })),
];

/** One member of a payload as its schema states it (I4.F02.2). */
type FieldPath = {
  /** Members joined by dots; `[]` enters an array, `*` stands for any key of a map. */
  readonly path: string;
  /** JSON type; `array<T>` and `map<T>` name what they hold, `any` is free-form. */
  readonly type: string;
  readonly nullable: boolean;
  readonly required: boolean;
  readonly enum: readonly string[] | null;
};

/** Lists every member of a JSON Schema, depth first in the order of the schema; each path once. */
export function fieldPaths(schema: JsonSchema): FieldPath[] {
  const found = new Map<string, FieldPath>();
  walk(schema, '', found);
  return [...found.values()];
}

function walk(schema: JsonSchema, prefix: string, found: Map<string, FieldPath>): void {
  for (const branch of branchesOf(schema)) {
    const required = new Set((branch['required'] as readonly string[] | undefined) ?? []);
    const properties = (branch['properties'] ?? {}) as Record<string, JsonSchema>;
    for (const [name, member] of Object.entries(properties))
      enter(member, { path: `${prefix}${name}`, required: required.has(name) }, found);
    const values = branch['additionalProperties'];
    if (isSchema(values)) enter(values, { path: `${prefix}*`, required: false }, found);
  }
}

function enter(
  schema: JsonSchema,
  { path, required }: { readonly path: string; readonly required: boolean },
  found: Map<string, FieldPath>,
): void {
  const branches = branchesOf(schema);
  if (!found.has(path)) {
    found.set(path, {
      path,
      type: typeOf(branches),
      nullable: branches.some((branch) => branch['type'] === 'null' || isAny(branch)),
      required,
      enum: valuesOf(branches),
    });
  }
  for (const branch of branches) {
    const items = branch['items'];
    if (isSchema(items)) for (const item of branchesOf(items)) walk(item, `${path}[].`, found);
    else walk(branch, `${path}.`, found);
  }
}

// the alternatives of a schema; a nullable member is an alternative with null
function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  const alternatives = schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf'];
  if (Array.isArray(alternatives)) return alternatives.flatMap(branchesOf);
  const { type } = schema;
  return Array.isArray(type) ? type.map((name: unknown) => ({ ...schema, type: name })) : [schema];
}

function typeOf(branches: readonly JsonSchema[]): string {
  const names = branches.filter((branch) => branch['type'] !== 'null').map(nameOf);
  return [...new Set(names)].join('|');
}

function nameOf(branch: JsonSchema): string {
  const { type } = branch;
  if (type === 'array') {
    const { items } = branch;
    return isSchema(items) ? `array<${typeOf(branchesOf(items))}>` : 'array<any>';
  }
  if (type === 'object' && branch['properties'] === undefined) {
    const values = branch['additionalProperties'];
    return isSchema(values) && !isAny(values) ? `map<${typeOf(branchesOf(values))}>` : 'object';
  }
  return typeof type === 'string' ? type : 'any';
}

function valuesOf(branches: readonly JsonSchema[]): readonly string[] | null {
  const values = branches.flatMap((branch) => {
    const listed = branch['enum'] ?? (branch['const'] === undefined ? [] : [branch['const']]);
    return (listed as readonly unknown[]).filter((value) => typeof value === 'string');
  });
  return values.length === 0 ? null : (values as string[]);
}

function isAny(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'description');
}

function isSchema(value: unknown): value is JsonSchema {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
