import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { liveRoutes, routes } from '../routes/routes.ts';
import { emitTools } from '../tools/emitTools.ts';
import { type Deployment, documentationDeployment } from './deployment.ts';
import { emitOpenApi } from './openapi.ts';
import { emitPricing } from './pricing.ts';
import { emitServerCard, serverCard } from './serverCard.ts';
import { emitWellKnownX402, wellKnownX402 } from './wellKnownX402.ts';
import { emitWorkflows, workflows } from './workflows.ts';

type Json = Readonly<Record<string, unknown>>;

describe('the catalogue of x402', () => {
  const document = emitWellKnownX402(documentationDeployment, routes);

  it('has one resource for each live route of R01–R31, at the price of its row (I4.F11.1)', () => {
    expect(wellKnownX402.parse(document)).toEqual(document);
    const sold = liveRoutes.filter(({ id }) => id.startsWith('R'));
    expect(document.items.map(({ resource, accepts }) => [resource, accepts[0]?.amount])).toEqual(
      sold.map(({ path, priceMicroUsd, priceBand }) => [
        `https://api.example.com${path}`,
        String(priceBand?.minMicroUsd ?? priceMicroUsd),
      ]),
    );
    expect(document.items.every(({ accepts }) => accepts.length === 2)).toBe(true);
  });

  it('lists addresses in the form of directories, none of them a template (I4.F11.1)', () => {
    // as x402scan and @agentcash/discovery 1.1.0 read it
    const read = z.object({ version: z.literal(1), resources: z.array(z.url()) }).parse(document);
    const sold = liveRoutes.filter(({ id }) => id.startsWith('R'));
    expect(read.resources).toEqual(sold.map(({ examplePath }) => `https://api.example.com${examplePath}`));
    expect(read.resources.filter((address) => /[{}]/.test(decodeURI(address)))).toEqual([]);
  });

  it('shows a price that the artifact decides as a range, from its least', () => {
    const report = routes.find(({ id }) => id === 'R29');
    const [item] = emitWellKnownX402(documentationDeployment, report === undefined ? [] : [report]).items;
    expect(item).toMatchObject({ price_range_usd: { min: 0.45, max: 0.75 } });
    expect(item?.accepts[0]).toMatchObject({ amount: '450000', extra: { dynamic: true } });
  });

  it('offers nothing while the rail is off', () => {
    const x402 = { ...documentationDeployment.x402, payTo: null };
    const off = emitWellKnownX402({ ...documentationDeployment, x402 }, routes);
    expect([off.payTo, off.gateway.enabled]).toEqual(['', false]);
    expect([off.resources, off.items]).toEqual([[], []]);
  });
});

describe('the card of the tool server', () => {
  it('counts and prices the tools that are offered (I4.F21.1)', () => {
    const card = emitServerCard(documentationDeployment, routes);
    expect(serverCard.parse(card)).toEqual(card);
    expect(card.endpoint).toBe('https://api.example.com/mcp');
    expect(card.protocol_versions[0]).toBe('2025-12-11');
    expect(card.tool_count).toBe(card.tools.length);
    expect(card.prices).toEqual({ price_usd: 0.04, free_tools: ['intel_help', 'intel_company_lookup'] });
    const disabled = new Set(documentationDeployment.disabledTools);
    const listed = emitTools(routes, { disabled }).map(({ name, title }) => ({ name, title }));
    expect(card.tools.map(({ name, title }) => ({ name, title }))).toEqual(listed);
    expect(card.planned_tools.map(({ status }) => status)).toHaveLength(11);
    const opened = (of: Deployment) =>
      emitServerCard(of, routes).tools.filter(({ access }) => access === 'api_key');
    expect(opened(documentationDeployment)).toHaveLength(6 + 5);
    expect(opened({ ...documentationDeployment, disabledTools: [] })).toHaveLength(5);
  });

  it('says where a call is paid, over the rails that are on (I4.MCP.20b)', () => {
    const told = (deployment: Deployment) => {
      const { payment_ways: ways, authentication } = emitServerCard(deployment, routes);
      expect(emitPricing(deployment, routes).mcp.payment_ways).toEqual(ways);
      return [
        ways.map(({ rail, carried_by: by }) => `${rail} ${by}`),
        authentication.map(({ type }) => type),
      ];
    };
    expect(told(documentationDeployment)).toEqual([
      ['x402 frame', 'mpp frame', 'x402 header'],
      ['none', 'x402', 'mpp', 'api_key', 'grant'],
    ]);
    expect(told({ ...documentationDeployment, mpp: null })).toEqual([
      ['x402 frame', 'x402 header'],
      ['none', 'x402', 'api_key', 'grant'],
    ]);
    const x402 = { ...documentationDeployment.x402, payTo: null };
    expect(told({ ...documentationDeployment, x402 })).toEqual([
      ['mpp frame'],
      ['none', 'mpp', 'api_key', 'grant'],
    ]);
  });
});

describe('the workflows', () => {
  const openapi = emitOpenApi(documentationDeployment, routes) as { paths: Record<string, Json> };
  const operations = new Map(
    Object.values(openapi.paths).flatMap((item) =>
      Object.values(item).map((one) => {
        const { operationId, parameters } = one as {
          operationId: string;
          parameters: { name: string; in: string }[];
        };
        return [operationId, parameters.map((param) => `${param.in} ${param.name}`)] as const;
      }),
    ),
  );
  const credentials = ['header x-api-key', 'header PAYMENT-SIGNATURE', 'header Authorization'];

  it('use operations and parameters that there are, and values that an earlier step gave (I4.F22.1)', () => {
    const document = emitWorkflows(documentationDeployment, routes);
    expect(workflows.parse(document)).toEqual(document);
    expect(document.workflows.map(({ workflowId }) => workflowId)).toEqual([
      'screen_drill_down_evidence',
      'morning_check',
      'buy_with_x402',
      'buy_with_mpp',
    ]);
    for (const { workflowId, steps, inputs } of document.workflows) {
      const given = new Set(
        Object.keys((inputs as { properties: object }).properties).map((name) => `$inputs.${name}`),
      );
      for (const { stepId, operationId, parameters = [], outputs = {} } of steps) {
        const takes = [...(operations.get(operationId) ?? []), ...credentials];
        for (const { name, in: at, value } of parameters as { name: string; in: string; value: string }[]) {
          expect(takes, `${workflowId} ${stepId}`).toContain(`${at} ${name}`);
          expect(given, `${workflowId} ${stepId}`).toContain(value);
        }
        for (const name of Object.keys(outputs as object)) given.add(`$steps.${stepId}.outputs.${name}`);
      }
    }
  });

  it('leave out what this build does not serve (I4.37)', () => {
    const without = routes.filter(({ id }) => id !== 'R12');
    const left = emitWorkflows(documentationDeployment, without).workflows.map(
      ({ workflowId }) => workflowId,
    );
    expect(left).toEqual(['morning_check', 'buy_with_x402', 'buy_with_mpp']);
  });
});
