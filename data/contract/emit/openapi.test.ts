import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import billingEnvelopeExample from '../billing/billingEnvelope.example.json' with { type: 'json' };
import { billingEnvelope, isReservedMember } from '../billing/billingEnvelope.ts';
import auditStatusExample from '../payloads/audit/auditStatus.example.json' with { type: 'json' };
import { auditStatus } from '../payloads/audit/auditStatus.ts';
import { payloads } from '../payloads/payloads.ts';
import { routeUri } from '../routes/route.ts';
import { liveRoutes } from '../routes/routes.ts';
import { documentationDeployment } from './deployment.ts';
import { freeAnswers } from './freeAnswers.ts';
import { emitOpenApi } from './openapi.ts';
import { emitPricing, pricing } from './pricing.ts';

type Doc = {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: object };
};
type Content = Record<string, { schema: object; example?: unknown }>;
type Operation = {
  operationId: string;
  tags: string[];
  description: string;
  parameters: { name: string; schema: object; example?: unknown }[];
  requestBody?: { content: Content };
  'x-codeSamples'?: { lang: string; source: string }[];
  security: Record<string, unknown>[];
  'x-payment-info'?: object;
  responses: Record<string, { content?: Content; $ref?: string }>;
};

const document = emitOpenApi(documentationDeployment, liveRoutes, { examples: true }) as unknown as Doc;
const short = emitOpenApi(documentationDeployment) as unknown as Doc;
const operations = Object.values(document.paths).flatMap(Object.values<Operation>);

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (a: Ajv2020) => void)(ajv);
ajv.addSchema(document, 'doc');

/** What a schema of the document has against a value; empty when nothing. */
function refusals(schema: object, value: unknown): string {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"doc#/')));
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

/** References that lead nowhere in their document. */
function unresolved(doc: Doc): string[] {
  return [...JSON.stringify(doc).matchAll(/"\$ref":"#\/([^"]+)"/g)]
    .map(([, target = '']) => target)
    .filter((target) => {
      const found = target
        .split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], doc);
      return typeof found !== 'object';
    });
}

describe('emitOpenApi', () => {
  it('describes each live route and no other (I4.37)', () => {
    const operations = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((op) => op.operationId),
    );
    expect(operations.sort()).toEqual(liveRoutes.map((r) => r.operationId).sort());
  });

  it('names no route in its examples that is not served (I4.37)', () => {
    const served = liveRoutes.map(
      (route) => new RegExp(`^${routeUri(route).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    );
    const named = [...JSON.stringify(document).matchAll(/"((?:GET|POST) \/[^" ]*)"/g)].map(
      ([, uri = '']) => uri,
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((uri) => !served.some((route) => route.test(uri)))).toEqual([]);
  });

  it.each(operations)('has examples of $operationId that its own schemas accept (I4.F07.3)', (operation) => {
    const success = operation.responses['200'] ?? operation.responses['201'];
    const contents = [success?.content, operation.requestBody?.content].flatMap((content) =>
      content === undefined ? [] : Object.values(content),
    );
    expect(contents.length).toBeGreaterThan(0);
    for (const { schema, example } of [...contents, ...operation.parameters]) {
      expect(example).toBeDefined();
      expect(refusals(schema, example)).toBe('');
    }
  });

  it.each(operations)('says of $operationId what it is, what it costs and how to call it', (operation) => {
    expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining(operation.tags));
    expect(operation.description).toMatch(/Costs \d\.\d\d( to \d\.\d\d)? USD a call|Free/);
    const samples = operation['x-codeSamples']?.map(({ lang }) => lang);
    const expected =
      operation.operationId === 'receiveCheckoutWebhook' ? undefined : ['Shell', 'JavaScript', 'Python'];
    expect(samples).toEqual(expected);
  });

  it('says of every priced operation what directories read, of mirrors what readers of MPP read as well (I4.F07.2)', () => {
    const infoOf = ({ path, method }: (typeof liveRoutes)[number]) =>
      document.paths[path]?.[method.toLowerCase()]?.['x-payment-info'];
    for (const route of liveRoutes) {
      const { family, priceMicroUsd, priceBand: band } = route;
      const [usd, least, most] = [priceMicroUsd, band?.minMicroUsd, band?.maxMicroUsd].map((micro) =>
        ((micro ?? 0) / 1e6).toFixed(6),
      );
      const price =
        band === undefined
          ? { mode: 'fixed', currency: 'USD', amount: usd }
          : { mode: 'dynamic', currency: 'USD', min: least, max: most };
      const currency = documentationDeployment.mpp?.currency;
      const charge = { method: 'tempo', intent: 'charge', currency };
      const mpp = { protocols: [{ mpp: charge }], offers: [{ ...charge, amount: String(priceMicroUsd) }] };
      expect(infoOf(route), route.id).toEqual(
        priceMicroUsd === 0
          ? undefined
          : { price, ...(family === 'mpp' ? mpp : { protocols: [{ x402: {} }] }) },
      );
    }
    const report = liveRoutes.find(({ id }) => id === 'R29');
    expect(report === undefined ? null : infoOf(report)).toMatchObject({
      price: { min: '0.450000', max: '0.750000' },
    });
  });

  it('describes one route alone, complete in itself and without what it does not need (I4.F18.2)', () => {
    for (const route of liveRoutes) {
      const part = emitOpenApi(documentationDeployment, liveRoutes, { only: [route] }) as unknown as Doc;
      expect(Object.values(part.paths).flatMap(Object.values)).toEqual(
        operations.filter(({ operationId }) => operationId === route.operationId),
      );
      const text = JSON.stringify(part);
      const referred = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name));
      expect(new Set(Object.keys(part.components.schemas)), route.id).toEqual(referred);
      expect(unresolved(part)).toEqual([]);
      // of 470 kB; a report is made of the answers of six routes and the capital structure
      expect(text.length, route.id).toBeLessThan(route.schemaId === 'company_report.v1' ? 100_000 : 45_000);
    }
  });

  it('is less than half without code and examples of answers, and else the same (I4.F07.2)', () => {
    const shown = JSON.parse(JSON.stringify(document), (name, value) =>
      name === 'x-codeSamples' ? undefined : value,
    ) as Doc;
    for (const { responses } of Object.values(shown.paths).flatMap(Object.values<Operation>))
      for (const { content = {} } of Object.values(responses))
        for (const media of Object.values(content)) delete media.example;
    expect(short).toEqual(shown);
    // of 751 kB with every schema where it stands
    expect(JSON.stringify(short).length).toBeLessThan(350_000);
  });

  it('states each schema once that would stand in two places', () => {
    const seen = new Map<string, string>();
    const visit = (node: unknown, place: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const text = JSON.stringify(node);
      if ((node as { properties?: unknown }).properties instanceof Object && text.length >= 150) {
        expect(seen.get(text), place).toBe(undefined);
        seen.set(text, place);
      }
      for (const [name, value] of Object.entries(node)) visit(value, `${place}/${name}`);
    };
    visit(document.components.schemas, '');
    expect(seen.size).toBeGreaterThan(200);
  });

  it('states the billing members once, although an answer has them twice', () => {
    const { BillingEnvelope: envelope, BillingMembers: members } = document.components.schemas as never as {
      BillingEnvelope: { allOf: [object, { properties: Record<string, unknown> }] };
      BillingMembers: { required: string[] };
    };
    const reference = { $ref: '#/components/schemas/BillingMembers' };
    expect(envelope.allOf[0]).toEqual(reference);
    expect(envelope.allOf[1].properties['billing']).toEqual({
      type: 'object',
      properties: { request: reference },
      required: ['request'],
    });
    const named = [...members.required, ...Object.keys(envelope.allOf[1].properties)];
    expect(named.sort()).toEqual(Object.keys(billingEnvelope.shape).sort());
    // an answer that lacks one of them, above or in the copy, is refused
    const { grant_id: _, ...without } = billingEnvelopeExample;
    const broken = { ...billingEnvelopeExample, billing: { request: without.billing.request.grant_id } };
    for (const answer of [without, broken])
      expect(refusals({ $ref: '#/components/schemas/BillingEnvelope' }, answer)).not.toBe('');
  });

  it('says nothing that bounds no value, and a plain value or null in one schema', () => {
    const text = JSON.stringify(document.components.schemas);
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(text).not.toMatch(/"anyOf":\[\{"type":"(string|number|integer|boolean)"\},\{"type":"null"\}\]/);
    const members = (document.components.schemas['BillingMembers'] as { properties: object }).properties;
    expect(members).toMatchObject({
      grant_budget_usd: { type: ['number', 'null'], minimum: 0 },
      // a closed list would have to name null as well
      grant_limit_unit: { anyOf: [{ enum: expect.anything() }, { type: 'null' }] },
    });
  });

  it('declares every security scheme it uses', () => {
    const used = new Set(
      Object.values(document.paths).flatMap((path) =>
        Object.values(path).flatMap((op) => op.security.flatMap((s) => Object.keys(s))),
      ),
    );
    expect(Object.keys(document.components.securitySchemes)).toEqual(expect.arrayContaining([...used]));
  });

  it('resolves every reference', () => {
    expect(unresolved(document)).toEqual([]);
  });

  it('sends money as a plain number', () => {
    const stress = document.components.schemas['CovenantStress'] as { properties: Record<string, object> };
    expect(stress.properties['total_long_term_debt']).toEqual({ type: 'number', description: 'USD' });
  });
});

describe('payload schemas', () => {
  it('use no reserved name at top level except the members the server fills in (I5.47, A5.31)', () => {
    for (const [id, { schema, serveTime }] of Object.entries(payloads)) {
      const reserved = Object.keys(schema.shape).filter(isReservedMember);
      expect(reserved, id).toEqual(serveTime?.names ?? []);
    }
    expect(payloads['readiness.v1'].serveTime?.names).toEqual(['ok', 'reason', 'age_minutes']);
  });

  it('accept their examples', () => {
    for (const { schema, example: value } of Object.values(payloads))
      expect(schema.safeParse(value).error).toBeUndefined();
    expect(billingEnvelope.safeParse(billingEnvelopeExample).error).toBeUndefined();
    for (const { name, schema, example } of Object.values(freeAnswers))
      if (example !== undefined) expect(schema.safeParse(example).error, name).toBeUndefined();
    expect(auditStatus.safeParse(auditStatusExample).error).toBeUndefined();
  });
});

describe('emitPricing', () => {
  const doc = emitPricing(documentationDeployment);

  it('is valid, lists the live priced routes and three providers in order (A4.27)', () => {
    expect(pricing.safeParse(doc).error).toBeUndefined();
    expect(doc.routes.map((r) => r.id)).toEqual(
      liveRoutes.filter((r) => r.priceMicroUsd > 0).map((r) => r.id),
    );
    expect(doc.payment_provider_priority.map((p) => p.payment_mode)).toEqual([
      'gateway_batched',
      'x402_exact',
      'checkout_session',
    ]);
  });

  it('states one price five ways', () => {
    expect(doc.routes.find((r) => r.id === 'R11')).toMatchObject({
      price: '$0.10',
      price_usd: 0.1,
      cost_usd: 0.1,
      price_micro_usd: 100_000,
      credits: 10,
    });
  });
});
