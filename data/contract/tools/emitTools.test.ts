import { describe, expect, it } from 'vitest';
import { fieldPaths } from '../emit/fieldContract.ts';
import { freeAnswers } from '../emit/freeAnswers.ts';
import { jsonSchemaOf } from '../emit/jsonSchema.ts';
import { payloads, type SchemaId } from '../payloads/payloads.ts';
import type { PaymentRail } from '../routes/paymentRail.ts';
import { routes } from '../routes/routes.ts';
import { emitTools } from './emitTools.ts';
import { intelTools } from './intelTools.ts';
import { auditSchema, offeredTools } from './offeredTools.ts';
import { readings } from './readings.ts';
import { visualTools } from './visualTools.ts';

// every route of the contract, as if this build served it
const complete = routes.map((route) => ({ ...route, status: 'live' as const }));

describe('the tools', () => {
  it('say which rails pay for them, where they are on (I4.MCP.12, I4.MCP.20b)', () => {
    const told = (rails?: readonly PaymentRail[]) => {
      const tools = emitTools(complete, rails === undefined ? {} : { rails });
      const [help, , readiness] = tools;
      const drawn = tools.find(({ name }) => name.startsWith('visual_'));
      expect([help, drawn].map((tool) => tool?._meta['ii/payment_rails'])).toEqual([[], []]);
      return [readiness?._meta['ii/payment_rails'], /Costs .*key/.exec(readiness?.description ?? '')?.[0]];
    };
    const both = 'Costs 0.04 USD a call, paid by x402 or machine payment (MPP) or covered by an API key';
    expect(told()).toEqual([['x402', 'mpp'], both]);
    expect(told(['x402'])).toEqual([
      ['x402'],
      'Costs 0.04 USD a call, paid by x402 or covered by an API key',
    ]);
    expect(told([])).toEqual([[], 'Costs 0.04 USD a call, covered by an API key']);
  });

  it('are twenty-two of the contract, each with the arguments of its route (I4.MCP.13)', () => {
    const tools = emitTools(complete).filter(({ _meta }) => _meta['ii/family'] === 'intel');
    const shown = tools.map(({ name, inputSchema, _meta }) => {
      const required = (inputSchema['required'] ?? []) as string[];
      const names = Object.keys(inputSchema['properties'] as object);
      const args = names.map((arg) => (required.includes(arg) ? `${arg}*` : arg)).join(' ');
      return `${name} ${_meta['ii/price_usd']} ${String(_meta['ii/route']).split(' ')[1]}: ${args}`.trim();
    });
    expect(shown).toMatchInlineSnapshot(`
      [
        "intel_help 0 /help:",
        "intel_company_lookup 0 /companies: search category coverage mode limit offset",
        "intel_readiness 0.04 /v1/readiness:",
        "intel_core_audit_status 0.04 undefined:",
        "intel_daily_changes 0.04 /v1/daily-changes/latest: limit offset date_from date_to",
        "intel_daily_change_evidence 0.04 /v1/daily-changes/evidence: ticker cik source_date limit offset",
        "intel_risk_distribution 0.04 /v1/risk-distribution: basis",
        "intel_top_stressed 0.04 /v1/top-stressed: limit offset",
        "intel_alpha_opportunities 0.04 /v1/alpha-opportunities: limit offset source_date risk_tier debt_coverage_status quality_flag issuer_type include_funds",
        "intel_alpha_opportunities_audit 0.04 /v1/alpha-opportunities/audit: limit source_date issuer_type include_rows",
        "intel_company_fundamentals 0.04 /v1/company-fundamentals/{ticker}: ticker* period source_date include_segments include_related_party",
        "intel_covenant_stress 0.04 /v1/covenant-stress/{ticker}: ticker* period source_date",
        "intel_covenant_stress_screen 0.04 /v1/covenant-stress: source_date period risk_tier quality_flag debt_coverage_status treasury_relevance min_stress linkbase_only limit offset",
        "intel_peer_ranking 0.04 /v1/peer-ranking/{ticker}: ticker* period source_date",
        "intel_alpha_signals 0.04 /v1/alpha-signals/{ticker}: ticker* source_date",
        "intel_core_history 0.04 /v1/core-history/{ticker}: ticker* source_date_from source_date_to limit offset",
        "intel_perp_factors 0.04 /v1/market-core/perps/factors/{product}: product* underlying_ticker bucket_length source_date source_date_from source_date_to mode limit offset",
        "intel_synthetic_etf_pressure_state 0.04 /v1/synthetic-etf/pressure-state/{product}: product* bucket_length source_date",
        "intel_synthetic_etf_audit 0.04 /v1/synthetic-etf/audit/{product}: product* bucket_length source_date source_date_from source_date_to window_days limit offset include_export",
        "intel_morning_brief_natural 0.04 /v1/morning-brief/natural: date limit style",
        "intel_top_stressed_natural 0.04 /v1/top-stressed/natural: limit style",
        "intel_covenant_stress_natural 0.04 /v1/covenant-stress/natural: ticker* date style",
      ]
    `);
  });

  it('of a list of numbers take a number, and say what they are by default', () => {
    const brief = emitTools(complete).find(({ name }) => name === 'intel_top_stressed_natural');
    expect(brief?.inputSchema['properties']).toMatchObject({
      limit: { type: 'integer', enum: [5, 10, 25], default: 10 },
    });
  });

  it('are those of the live routes, and none while the endpoint is not served (I4.37)', () => {
    const live = new Set(routes.filter(({ status }) => status === 'live').map(({ id }) => id));
    const expected = intelTools.filter(({ routeId }) => routeId === null || live.has(routeId));
    expect(offeredTools(routes).map(({ tool }) => tool.name)).toEqual(expected.map(({ name }) => name));
    const without = routes.map((route) =>
      route.family === 'mcp' ? { ...route, status: 'pending' as const } : route,
    );
    expect(emitTools(without)).toEqual([]);
  });

  it('name only tools of the table when they say what to use instead, and end with a price', () => {
    const names = new Set(intelTools.map(({ name }) => name));
    for (const { when, next } of intelTools) {
      expect((when.match(/\bintel_\w+/g) ?? []).filter((name) => !names.has(name))).toEqual([]);
      expect(next.filter(({ tool }) => !names.has(tool))).toEqual([]);
    }
    for (const { description } of emitTools(complete)) expect(description).toMatch(/Free\.|\d USD/);
  });

  it('of the visual family are sixteen with their prices; what is planned promises nothing (I4.VIS.2–I4.VIS.4)', () => {
    expect(visualTools).toHaveLength(16);
    const shown = emitTools(complete).filter(({ _meta }) => _meta['ii/family'] === 'visual');
    const built = shown.filter(({ _meta }) => !String(_meta['ii/status']).endsWith('planned'));
    expect(built.map(({ name, _meta }) => [name, _meta['ii/status'], _meta['ii/price_usd']])).toEqual([
      ['visual_diagram_validate', 'live_internal_beta', 0.1],
      ['visual_diagram_render', 'live_internal_beta', 0.6],
      ['visual_fit_report', 'covered_by_render_receipt', 0.3],
      ['visual_spec_search', 'live_internal_beta', null],
      ['visual_spec_package', 'live_internal_beta', 1.25],
    ]);
    for (const { inputSchema, outputSchema, description } of built) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema?.['anyOf']).toHaveLength(3);
      expect(description).toContain('Internal beta');
    }
    for (const { inputSchema, outputSchema } of shown.filter((tool) => !built.includes(tool))) {
      expect(inputSchema).toEqual({ type: 'object', additionalProperties: true });
      expect(outputSchema).toBeUndefined();
    }
    expect(shown.find(({ name }) => name === 'visual_spec_search')?._meta).toMatchObject({
      'ii/price_usd': null,
      'ii/price_range_usd': { min: 0.03, max: 0.08 },
    });
  });

  it('that render describe the whole contract a caller may send, defaults left out', () => {
    const render = emitTools(complete).find(({ name }) => name === 'visual_diagram_render');
    expect(render?.inputSchema).toMatchObject({
      required: ['contract'],
      properties: {
        contract: {
          required: [
            'diagram_id',
            'diagram_family',
            'purpose',
            'nodes',
            'edges',
            'viewport_policy',
            'accessibility',
            'fit_policy',
          ],
          properties: { viewport_policy: { required: ['width', 'height'] } },
        },
      },
    });
  });
});

describe('the readings', () => {
  const schemas = new Map([
    ...(Object.keys(payloads) as SchemaId[]).map((id) => [id as string, payloads[id].schema] as const),
    ['core_audit_status.v1', auditSchema] as const,
    ['help.v1', freeAnswers['F06']?.schema] as const,
    ['companies.v1', freeAnswers['F08']?.schema] as const,
    ...visualTools.flatMap(({ forms }) => (forms === null ? [] : [[forms.schemaId, forms.data] as const])),
  ]);

  it.each(Object.keys(readings))('of %s name members that it has', (id) => {
    const schema = schemas.get(id);
    if (schema === undefined) throw new RangeError(`no schema ${id}`);
    const paths = new Set(fieldPaths(jsonSchemaOf(schema)).map(({ path }) => path));
    const reading = readings[id];
    const asked = [
      ...(reading?.headline ?? []),
      ...(reading?.figures ?? []),
      ...(reading?.rows?.columns ?? []).map(([path]) => [`${reading?.rows?.member}[].${path}`] as const),
    ].map(([path]) => path.replaceAll(/\[\d+\]/g, '[]'));
    // an open map has no members to name
    const isOpen = (path: string): boolean =>
      paths.has(path) &&
      ![...paths].some((other) => other.startsWith(`${path}.`) && !other.startsWith(`${path}.*`));
    const unknown = asked.filter(
      (path) => !paths.has(path.replace(/\[\]$/, '')) && !isOpen(path.replace(/\.[^.]+$/, '')),
    );
    expect(unknown).toEqual([]);
  });
});
