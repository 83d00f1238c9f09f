import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { documentationDeployment } from '../../../data/contract/emit/deployment.ts';
import { emitFieldContract } from '../../../data/contract/emit/fieldContract.ts';
import { type JsonSchema, jsonSchemaOf } from '../../../data/contract/emit/jsonSchema.ts';
import { payloads } from '../../../data/contract/payloads/payloads.ts';
import { liveRoutes, routes } from '../../../data/contract/routes/routes.ts';
import { fieldUnit, referencePage } from './referencePage.ts';
import { searchScript } from './referenceSearch.ts';

const sample = readFileSync(
  new URL('../../../data/contract/samples/getCovenantStress.json', import.meta.url),
  'utf8',
);
const input = {
  deployment: documentationDeployment,
  routes,
  samples: new Map([['getCovenantStress', sample]]),
};
const page = referencePage(input);
const sectionOf = (text: string, operationId: string): string =>
  text.split('<section class="route"').find((part) => part.includes(`<h3 id="${operationId}">`)) ?? '';
const shown = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describe('the reference page', () => {
  it('names every live route once, and every id once', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? '');
    expect(new Set(ids).size).toBe(ids.length);
    for (const { operationId } of liveRoutes) expect(ids).toContain(operationId);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id ?? '');
    for (const target of targets) expect(ids).toContain(target);
  });

  it('says of a route what its row and its schema say', () => {
    const text = shown(sectionOf(page, 'getCovenantStress'));
    expect(text).toContain('GET /v1/covenant-stress/{ticker} $0.10');
    expect(text).toContain(
      'Leverage ratio of one issuer under 30, 50 and 70 percent shocks, filed and live.',
    );
    expect(text).toContain('curl -si "https://api.example.com/v1/covenant-stress/MSTR"');
    expect(text).toMatch(/live_stress_50pct(number)?/);
  });

  it('shows the sample without its envelope, lists cut to one entry, as JSON that reads', () => {
    const [, example = ''] =
      /aria-label="Example of getCovenantStress"><code>(.*?)<\/code>/s.exec(page) ?? [];
    const read = JSON.parse(shown(example));
    const whole = JSON.parse(sample);
    expect(read.accession_number).toBe(whole.accession_number);
    expect(read.stress_50pct).toBe(whole.stress_50pct);
    expect(read.data_quality_notes).toEqual(whole.data_quality_notes.slice(0, 1));
    expect(read).not.toHaveProperty('settlement_receipt');
    expect(read).not.toHaveProperty('sample');
  });

  it('names no route that is not served, and follows a changed price', () => {
    for (const { operationId, mirrorOf } of routes.filter(({ status }) => status === 'pending'))
      if (mirrorOf === null) expect(page).not.toContain(`id="${operationId}"`);
    const dearer = routes.map((route) => (route.id === 'R11' ? { ...route, priceMicroUsd: 250_000 } : route));
    expect(shown(sectionOf(referencePage({ ...input, routes: dearer }), 'getCovenantStress'))).toContain(
      '$0.25',
    );
  });

  it('shows markup in texts as text', () => {
    const hostile = routes.map((route) =>
      route.id === 'R11' ? { ...route, description: '</p><script>alert(1)</script>' } : route,
    );
    const written = referencePage({ ...input, routes: hostile });
    expect(written).not.toContain('<script>alert');
    expect(written.split('<script')).toHaveLength(2);
    expect(written).toContain(`<script>${searchScript}</script>`);
  });

  it('shows each call in three languages, and its search box only to who runs scripts (V59)', () => {
    const section = sectionOf(page, 'getCovenantStress');
    expect([...section.matchAll(/aria-label="(Call of [^"]+)"/g)].map(([, name]) => name)).toEqual([
      'Call of getCovenantStress',
      'Call of getCovenantStress in Python',
      'Call of getCovenantStress in TypeScript',
    ]);
    expect(page).toMatch(/<div class="find" role="search" hidden>/);
    expect(page).not.toMatch(/<section class="(?:route|group)"[^>]*hidden/);
  });

  it('stays under 1.5 MiB', () => {
    expect(Buffer.byteLength(page)).toBeLessThan(1.5 * 1024 * 1024);
  });
});

const number = (path: string, description = 'A figure.') => fieldUnit({ path, type: 'number', description });

describe('the unit of a member in the reference', () => {
  it.each([
    ['price_micro_usd', 'micro-USD'],
    ['data[].volume_24h_usd', 'USD'],
    ['btc_7d_change_pct', '%'],
    ['risk_distribution.LOW.percentage', '%'],
    ['factors.basis_bps', 'bp'],
    ['latency_ms', 'ms'],
    ['session_ttl_seconds', 's'],
    ['age_minutes', 'min'],
    ['freshness_window_hours', 'h'],
    ['filing_age_days', 'd'],
    ['computed_at_utc', 'UTC'],
    ['stress_50pct', null],
    ['row_count', null],
  ])('of %s is stated by its name: %s', (path, unit) => {
    expect(number(path)).toBe(unit);
  });

  it('is that of the values of a list or map', () => {
    expect(number('prices.spot_usd[]')).toBe('USD');
    expect(number('closes_usd.*')).toBe('USD');
  });

  it('of an amount whose name states none is the one of its meaning', () => {
    expect(number('total_long_term_debt', 'Total financial debt in USD; a lower bound.')).toBe('USD');
    expect(number('facilities[].drawn', 'Principal owed at as_of, USD.')).toBe('USD');
    expect(number('margin_call_price', 'USD per coin at which drawn reaches trigger_ltv.')).toBe(
      'USD a coin',
    );
    expect(number('ltv', 'drawn over the value of the coins.')).toBeNull();
  });

  it('of a text is none, whatever it speaks of', () => {
    expect(fieldUnit({ path: 'note', type: 'string', description: 'A note, USD.' })).toBeNull();
  });

  it('is USD for every amount of money that an answer holds, but for facts, which state their own', () => {
    const { fields } = emitFieldContract({ alphaWeights: {}, releaseKeys: [] });
    const described = new Map(fields.map((field) => [`${field.resource} ${field.path}`, field]));
    const silent = Object.entries(payloads).flatMap(([id, { schema }]) =>
      moneyPaths(jsonSchemaOf(schema, new Map()))
        .map((path) => described.get(`${id} ${path}`))
        .filter((field) => field !== undefined)
        .filter((field) => fieldUnit(field) !== 'USD' && !field.path.startsWith('provenance.facts.'))
        .map(({ path }) => `${id} ${path}`),
    );
    expect(silent).toEqual([]);
  });
});

/** Members of a schema that are money: the contract writes USD on each (I1.8). */
function moneyPaths(schema: JsonSchema, path = ''): string[] {
  const branches = [schema, ...((schema['anyOf'] as readonly JsonSchema[] | undefined) ?? [])];
  return branches.flatMap((branch) => [
    ...(branch['description'] === 'USD' ? [path] : []),
    ...Object.entries((branch['properties'] ?? {}) as Record<string, JsonSchema>).flatMap(([name, member]) =>
      moneyPaths(member, path === '' ? name : `${path}.${name}`),
    ),
    ...(typeof branch['items'] === 'object' ? moneyPaths(branch['items'] as JsonSchema, `${path}[]`) : []),
  ]);
}
