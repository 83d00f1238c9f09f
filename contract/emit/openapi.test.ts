import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { billingEnvelope, isReservedMember } from '../billing/billingEnvelope.ts';
import { billingEnvelopeExample } from '../billing/billingEnvelopeExample.ts';
import { auditStatus, auditStatusExample } from '../payloads/auditStatus.ts';
import { payloads } from '../payloads/payloads.ts';
import { liveRoutes } from '../routes/routes.ts';
import { documentationDeployment } from './deployment.ts';
import { emitOpenApi } from './openapi.ts';
import { emitPricing, pricing } from './pricing.ts';

type Doc = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: object };
};
type Operation = {
  operationId: string;
  security: Record<string, unknown>[];
  responses: Record<
    string,
    { content?: Record<string, { schema: object; example?: unknown }>; $ref?: string }
  >;
};

const document = emitOpenApi(documentationDeployment) as unknown as Doc;

describe('emitOpenApi', () => {
  it('describes each live route and no other (I4.37)', () => {
    const operations = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map((op) => op.operationId),
    );
    expect(operations.sort()).toEqual(liveRoutes.map((r) => r.operationId).sort());
  });

  it('has an example for each payload that its own schema accepts (I4.F07.3)', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    (addFormats as unknown as (a: Ajv2020) => void)(ajv);
    ajv.addSchema(document, 'doc');
    const priced = liveRoutes.filter((r) => r.priceMicroUsd > 0).map((r) => r.operationId);
    let checked = 0;
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const operation of Object.values(methods)) {
        const success = operation.responses['200'] ?? operation.responses['201'];
        const content = success?.content?.['application/json'];
        if (content?.example === undefined) {
          expect(priced, `${path} has no example`).not.toContain(operation.operationId);
          continue;
        }
        const resolved = JSON.parse(JSON.stringify(content.schema).replaceAll('"#/', '"doc#/'));
        const validate = ajv.compile(resolved);
        expect(validate(content.example), `${path}: ${ajv.errorsText(validate.errors)}`).toBe(true);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThanOrEqual(priced.length);
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
    for (const [, target] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = target
        ?.split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], document);
      expect(found, target).toBeTypeOf('object');
    }
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
