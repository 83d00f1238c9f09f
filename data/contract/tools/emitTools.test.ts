import { describe, expect, it } from 'vitest';
import { fieldPaths } from '../emit/fieldContract.ts';
import { freeAnswers } from '../emit/freeAnswers.ts';
import { jsonSchemaOf } from '../emit/jsonSchema.ts';
import { payloads, type SchemaId } from '../payloads/payloads.ts';
import type { PaymentRail } from '../routes/paymentRail.ts';
import { routes } from '../routes/routes.ts';
import { emitToolHelp } from './emitToolHelp.ts';
import { emitTools, toolHelp } from './emitTools.ts';
import { intelTools, toolsForKeys } from './intelTools.ts';
import { auditSchema, offeredTools } from './offeredTools.ts';
import { readings } from './readingText.ts';
import { visualTools } from './visualTools.ts';

// every route of the contract, as if this build served it
const complete = routes.map((route) => ({ ...route, status: 'live' as const }));

const isIntel = ({ name }: { readonly name: string }): boolean => name.startsWith('intel_');

describe('the tools', () => {
  it('say which rails pay for them, where they are on (I4.MCP.12, I4.MCP.20b)', () => {
    const told = (rails?: readonly PaymentRail[]) => {
      const tools = emitTools(complete, rails === undefined ? {} : { rails });
      const [help, , readiness] = tools;
      const drawn = tools.find(({ name }) => name.startsWith('visual_'));
      expect([help, drawn].map((tool) => tool?._meta['ii/payment_rails'])).toEqual([[], []]);
      return readiness?._meta['ii/payment_rails'];
    };
    expect([told(), told(['x402']), told([])]).toEqual([['x402', 'mpp'], ['x402'], []]);
  });

  it('serve every priced route of the contract, each with the arguments of its route (I4.MCP.13)', () => {
    const tools = emitTools(complete).filter(isIntel);
    const shown = tools.map(({ name, inputSchema, _meta }) => {
      const required = (inputSchema['required'] ?? []) as string[];
      const names = Object.keys(inputSchema['properties'] as object);
      const args = names.map((arg) => (required.includes(arg) ? `${arg}*` : arg)).join(' ');
      return `${name} ${_meta['ii/price_usd']} ${String(_meta['ii/route']).split(' ')[1]}: ${args}`.trim();
    });
    expect(shown).toMatchInlineSnapshot(`
      [
        "intel_help 0 undefined: tool",
        "intel_company_lookup 0 /companies: search category coverage mode limit offset",
        "intel_readiness 0.04 /v1/readiness:",
        "intel_core_audit_status 0.04 undefined:",
        "intel_daily_changes 0.04 /v1/daily-changes/latest: detail limit offset date_from date_to",
        "intel_daily_change_evidence 0.04 /v1/daily-changes/evidence: ticker cik source_date limit offset",
        "intel_risk_distribution 0.04 /v1/risk-distribution: basis",
        "intel_top_stressed 0.04 /v1/top-stressed: limit offset",
        "intel_alpha_opportunities 0.04 /v1/alpha-opportunities: limit offset source_date risk_tier debt_coverage_status quality_flag issuer_type include_funds",
        "intel_alpha_opportunities_audit 0.04 /v1/alpha-opportunities/audit: limit source_date issuer_type include_rows",
        "intel_company_fundamentals 0.04 /v1/company-fundamentals/{ticker}: ticker* period source_date include_segments include_related_party",
        "intel_covenant_stress 0.04 /v1/covenant-stress/{ticker}: ticker* period source_date",
        "intel_covenant_stress_screen 0.04 /v1/covenant-stress: detail source_date period risk_tier quality_flag debt_coverage_status treasury_relevance min_stress linkbase_only limit offset",
        "intel_peer_ranking 0.04 /v1/peer-ranking/{ticker}: ticker* period source_date",
        "intel_alpha_signals 0.04 /v1/alpha-signals/{ticker}: ticker* source_date",
        "intel_core_history 0.04 /v1/core-history/{ticker}: ticker* source_date_from source_date_to limit offset",
        "intel_calculation_history 0.04 /v1/core7/calculation-history: of ticker cik source_date source_date_from source_date_to mode limit offset product underlying_ticker bucket_length",
        "intel_field_map 0.04 /v1/spectra-field-map/{ticker}: detail ticker source_date product bucket_length source_date_from source_date_to limit offset",
        "intel_perp_rankings 0.04 /v1/market-core/perps/rankings: bucket_length source_date underlying_ticker limit offset",
        "intel_perp_constituents 0.04 /v1/market-core/perps/constituents/{product}: product* source_date source_date_from source_date_to mode limit offset",
        "intel_perp_factors 0.04 /v1/market-core/perps/factors/{product}: product* underlying_ticker bucket_length source_date source_date_from source_date_to mode limit offset",
        "intel_synthetic_etf_pressure_state 0.04 /v1/synthetic-etf/pressure-state/{product}: product* bucket_length source_date",
        "intel_synthetic_etf_audit 0.04 /v1/synthetic-etf/audit/{product}: part detail product* bucket_length source_date source_date_from source_date_to window_days limit offset include_export",
        "intel_synthetic_etf_audit_export 0.04 /v1/synthetic-etf/audit/{product}/export: product* bucket_length source_date source_date_from source_date_to window_days limit offset",
        "intel_morning_brief_natural 0.04 /v1/morning-brief/natural: detail date limit style",
        "intel_top_stressed_natural 0.04 /v1/top-stressed/natural: limit style",
        "intel_covenant_stress_natural 0.04 /v1/covenant-stress/natural: ticker* date style",
        "intel_daily_brief_public 0.04 /v1/daily-brief/public: detail date",
        "intel_company_report 0.04 /v1/company-report/{ticker}: ticker* period source_date include_segments include_related_party output_mode",
      ]
    `);
    const served = offeredTools(complete).flatMap((tool) => [...tool.routes, ...tool.twins]);
    const priced = complete.filter(({ family }) => family === 'v1').map(({ id }) => id);
    expect(priced.filter((id) => !served.some((route) => route.id === id))).toEqual([]);
    expect(priced).toHaveLength(30);
  });

  it('fit into a context: few bytes, short descriptions, no form of answers, no alternatives (I4.MCP.12)', () => {
    const tools = emitTools(complete, { disabled: new Set(toolsForKeys) });
    expect(JSON.stringify({ tools }).length).toBeLessThanOrEqual(40_000);
    // four characters a token is less than any tokenizer makes of such text
    expect(JSON.stringify(tools.filter(isIntel)).length / 3.8).toBeLessThanOrEqual(8_000);
    for (const tool of tools) {
      expect(tool.description.length, tool.name).toBeLessThanOrEqual(200);
      expect(tool.annotations, tool.name).toMatchObject({ title: tool.title, openWorldHint: false });
      expect(tool, tool.name).not.toHaveProperty('outputSchema');
      for (const keyword of ['anyOf', 'oneOf', 'allOf'])
        expect(tool.inputSchema, tool.name).not.toHaveProperty(keyword);
    }
  });

  it('of a list of numbers take a number, and say what they are by default', () => {
    const brief = emitTools(complete).find(({ name }) => name === 'intel_top_stressed_natural');
    expect(brief?.inputSchema['properties']).toMatchObject({
      limit: { type: 'integer', enum: [5, 10, 25], default: 5 },
    });
  });

  it('have defaults that their routes take (I4.MCP.13)', () => {
    for (const { tool, routes: called } of offeredTools(complete))
      for (const name of Object.keys(tool.defaults ?? {}))
        expect(
          called.some(({ params }) => params.some((param) => param.name === name)),
          name,
        ).toBe(true);
  });

  it('are those of the live routes, and none while the endpoint is not served (I4.37)', () => {
    const live = new Set(routes.filter(({ status }) => status === 'live').map(({ id }) => id));
    const expected = intelTools.filter(({ routeId }) => routeId === null || live.has(routeId));
    expect(offeredTools(routes).map(({ tool }) => tool.name)).toEqual(expected.map(({ name }) => name));
    const without = routes.map((route) =>
      route.family === 'mcp' ? { ...route, status: 'pending' as const } : route,
    );
    expect(emitTools(without)).toEqual([]);
    const perps = routes.filter(({ id }) => id !== 'R18');
    const fieldMap = offeredTools(perps).find(({ tool }) => tool.name === 'intel_field_map');
    expect(fieldMap?.routes.map(({ id }) => id)).toEqual(['R17']);
  });

  it('name only tools of the table when they say what to use instead, and end with what opens them', () => {
    const names = new Set(intelTools.map(({ name }) => name));
    for (const { when, next } of intelTools) {
      expect((when.match(/\bintel_\w+/g) ?? []).filter((name) => !names.has(name))).toEqual([]);
      expect(next.filter(({ tool }) => !names.has(tool))).toEqual([]);
    }
    expect(toolsForKeys.filter((name) => !names.has(name))).toEqual([]);
    const shown = emitTools(complete, { disabled: new Set(toolsForKeys) });
    for (const { name, description } of shown) {
      const isKeyed = name.startsWith('visual_') || toolsForKeys.includes(name);
      expect(description, name).toMatch(isKeyed ? / API key only\.$/ : / (Free|\d\.\d\d USD)\.$/);
    }
  });

  it('of the visual family are sixteen with their prices, and those that are built are listed (I4.VIS.2–I4.VIS.4)', () => {
    expect(visualTools).toHaveLength(16);
    const shown = emitTools(complete).filter((tool) => !isIntel(tool));
    expect(shown.map(({ name, _meta }) => [name, _meta['ii/status'], _meta['ii/price_usd']])).toEqual([
      ['visual_diagram_validate', 'live_internal_beta', 0.1],
      ['visual_diagram_render', 'live_internal_beta', 0.6],
      ['visual_fit_report', 'covered_by_render_receipt', 0.3],
      ['visual_spec_search', 'live_internal_beta', undefined],
      ['visual_spec_package', 'live_internal_beta', 1.25],
    ]);
    expect(shown.find(({ name }) => name === 'visual_spec_search')?._meta).toMatchObject({
      'ii/price_range_usd': { min: 0.03, max: 0.08 },
    });
  });

  it('that render tell a contract in the list, and describe the whole of it in their help', () => {
    const needed = [
      'diagram_id',
      'diagram_family',
      'purpose',
      'nodes',
      'edges',
      'viewport_policy',
      'accessibility',
      'fit_policy',
    ];
    const render = emitTools(complete).find(({ name }) => name === 'visual_diagram_render');
    expect(render?.inputSchema).toMatchObject({
      required: ['contract'],
      properties: { contract: { required: needed } },
    });
    const help = emitToolHelp(complete, { howToUse: [], name: 'visual_diagram_render' });
    expect(help?.tool?.input_schema).toMatchObject({
      properties: {
        contract: {
          required: needed,
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
    ['tool_help.v1', toolHelp] as const,
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
