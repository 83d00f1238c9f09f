import { describe, expect, it } from 'vitest';
import { emitFieldContract } from '../../../data/contract/emit/fieldContract.ts';
import { type JsonSchema, jsonSchemaOf } from '../../../data/contract/emit/jsonSchema.ts';
import { payloads } from '../../../data/contract/payloads/payloads.ts';
import { fieldUnit } from './referenceTables.ts';

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
