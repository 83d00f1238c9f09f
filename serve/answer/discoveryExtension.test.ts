import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentationDeployment } from '../../data/contract/emit/deployment.ts';
import type { Param, Route } from '../../data/contract/routes/route.ts';
import { liveRoutes } from '../../data/contract/routes/routes.ts';
import { boundedJson } from '../http/boundedJson.ts';
import { readParams } from '../routing/readParams.ts';
import { routePlan } from '../routing/routePlan.ts';
import { maxChallengeCharacters, paymentRequired } from './challenge.ts';

// what catalogues of x402 read in a challenge, at the longest requests that are allowed (P2.6, P2.11)

const sold = liveRoutes.filter(({ family, priceMicroUsd }) => family === 'v1' && priceMicroUsd > 0);
// the longest host name there is, and a port
const longestOrigin = `https://${'a'.repeat(253)}:65535`;

/** The value of a parameter that takes most room in a URL. */
function longest({ type }: Param): string {
  switch (type.kind) {
    case 'ticker':
      return 'A'.repeat(10);
    case 'product':
      return 'A'.repeat(32);
    case 'cik':
      return 'CIK9876543210';
    case 'date':
      return '2026-02-07';
    case 'int':
      return String(type.default === type.max ? type.max - 1 : type.max);
    case 'number':
      return `${type.max - 1}.${'123456789'.repeat(3)}`.slice(0, 32);
    case 'boolean':
      return String(!type.default);
    case 'enum':
      return (
        type.values.filter((value) => value !== type.default).toSorted((a, b) => b.length - a.length)[0] ?? ''
      );
    case 'choice':
      return String(Math.max(...type.values));
    case 'string':
      // four bytes of UTF-8 are twelve characters of a URL
      return type.pattern === undefined ? '\u{1f600}'.repeat(type.max) : 'x'.repeat(type.max);
  }
}

/** The challenge of a route that is asked with these parameters. */
function challengeAt(route: Route, sent: readonly Param[], baseUrl: string) {
  const valuesIn = (place: Param['in']) =>
    sent.filter((param) => param.in === place).map((param) => [param.name, longest(param)] as const);
  const params = readParams({
    route,
    pathValues: new Map(valuesIn('path')),
    query: valuesIn('query'),
    body: route.method === 'POST' ? new Map(valuesIn('body')) : null,
  });
  const deployment = { ...documentationDeployment, baseUrl };
  return paymentRequired({
    servable: {
      route,
      tool: null,
      priceMicroUsd: route.priceBand?.maxMicroUsd ?? route.priceMicroUsd,
      body: { mediaType: 'application/json' } as never,
    },
    plan: routePlan({ route, params, instance: route.path }),
    provider: null,
    error: 'payment_verification_failed',
    deployment,
    payTo: deployment.x402.payTo ?? '',
    bazaar: true,
    offers: null,
    nowMs: 0,
  });
}

/** Every choice of parameters the route takes together with the ones it needs, that no other can be added to. */
function fullest(route: Route): Param[][] {
  const ranged = route.params.some(({ name }) => name === 'source_date_from');
  const apart = [
    ...(route.exclusive ?? []),
    ...(ranged && route.params.some(({ name }) => name === 'source_date')
      ? [
          ['source_date', 'source_date_from'],
          ['source_date', 'source_date_to'],
        ]
      : []),
  ];
  let choices = [[...route.params]];
  for (const group of apart)
    choices = choices.flatMap((chosen) =>
      group.map((kept) => chosen.filter(({ name }) => name === kept || !group.includes(name))),
    );
  return choices;
}

type Schema = { readonly type?: unknown; readonly properties?: Readonly<Record<string, Schema>> };

/** Members of a schema that name no type. */
function untyped(schema: Schema, at = ''): string[] {
  const own = typeof schema.type === 'string' ? [] : [at];
  return [
    ...own,
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => untyped(one, `${at}/${name}`)),
  ];
}

describe('the discovery extension', () => {
  it.each(sold)('of $id $path is sent at its longest query, on the longest origin (P2.6)', (route) => {
    for (const sent of fullest(route)) {
      const { challenge, header } = challengeAt(route, sent, longestOrigin);
      expect(Object.keys(challenge.extensions)).toEqual(['payment-identifier', 'bazaar']);
      expect(header.length).toBeLessThanOrEqual(maxChallengeCharacters);
    }
  });

  it('is there for every choice of parameters, and valid by its own schema, which types every member (P2.11)', () => {
    const ajv = new Ajv2020({ strict: true });
    const asked = fc.constantFrom(...sold).chain((route) =>
      fc.constantFrom(...fullest(route)).chain((most) => {
        const needed = most.filter(({ name, required }) => required || route.requireOneOf?.includes(name));
        return fc.record({
          route: fc.constant(route),
          sent: fc.subarray(most).map((some) => [...new Set([...needed, ...some])]),
        });
      }),
    );
    fc.assert(
      fc.property(
        asked,
        fc.constantFrom('https://api.example.com', longestOrigin),
        ({ route, sent }, origin) => {
          const { challenge } = challengeAt(route, sent, origin);
          const { info, schema } = challenge.extensions['bazaar'] as { info: object; schema: Schema };
          expect(untyped(schema)).toEqual([]);
          const valid = ajv.compile(schema);
          expect(valid(info), JSON.stringify(valid.errors)).toBe(true);
          // clients echo all of it (P2.16)
          expect(boundedJson(Buffer.from(JSON.stringify({ ...challenge, payload: {} })))).not.toHaveProperty(
            'fault',
          );
          expect(challenge.resource.description.length).toBeLessThanOrEqual(450);
        },
      ),
    );
  });

  it('shows an example of the answer where there is room, and none before it would not be sent', () => {
    const route = sold.find(({ id }) => id === 'R02') ?? sold[0];
    if (route === undefined) throw new RangeError('nothing is sold');
    const outputAt = (sent: readonly Param[], origin: string) =>
      (challengeAt(route, sent, origin).challenge.extensions['bazaar'] as { info: { output: object } }).info
        .output;
    expect(outputAt([], 'https://api.example.com')).toHaveProperty('example');
    expect(outputAt(route.params, longestOrigin)).toEqual({ type: 'json' });
  });
});
