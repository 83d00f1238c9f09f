import { describe, expect, it } from 'vitest';
import { isReservedMember } from '../billing/billingEnvelope.ts';
import { meaningKey, meaningsOf, sharedMeanings } from '../meanings/fieldMeaning.ts';
import { describingSchemas, payloads } from '../payloads/payloads.ts';
import { liveRoutes, routes } from '../routes/routes.ts';
import { canonicalJson } from '../values/canonicalJson.ts';
import { tierMeaning } from '../values/disclaimer.ts';
import { ExactDecimal } from '../values/exactDecimal.ts';
import { emitFieldContract } from './fieldContract.ts';
import { fieldContract } from './fieldContractSchema.ts';

const emit = (from = routes) =>
  emitFieldContract({ alphaWeights: { version: 'w' }, releaseKeys: [], routes: from });
const document = emit();
const complete = emit(routes.map((route) => ({ ...route, status: 'live' })));

/** Every path of a value that schemas accept, in the notation of the document. */
function pathsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, `${path}[]`));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return [own, ...pathsOf(inner, own)];
  });
}

describe('emitFieldContract', () => {
  it('fits its own schema and is the same each time (I4.F02.2, I4.39)', () => {
    expect(fieldContract.safeParse(document).error).toBeUndefined();
    expect(emit()).toEqual(document);
  });

  it('lists the payloads of live routes and no others (I4.37)', () => {
    const resources = new Set(document.fields.map((field) => field.resource));
    const described = new Set(
      liveRoutes.flatMap(({ schemaId }) => (schemaId === null ? [] : describingSchemas(schemaId))),
    );
    for (const id of Object.keys(payloads)) expect(resources.has(id), id).toBe(described.has(id));
    expect(emit([]).fields.every(({ resource }) => ['envelope', 'problem'].includes(resource))).toBe(true);
  });

  it('knows every member of every example, through arrays and maps (I4.F02.4)', () => {
    for (const [id, { example }] of Object.entries(payloads)) {
      const own = complete.fields.filter((field) => field.resource === id);
      const maps = own.filter((field) => field.path.endsWith('.*')).map((field) => field.path.slice(0, -2));
      const free = own.filter(({ type }) => /object|any/.test(type)).map((field) => field.path);
      const known = new Set(own.map((field) => field.path));
      for (const path of pathsOf(example)) {
        const inMap = maps.some((map) => path.startsWith(`${map}.`));
        const inFree = free.some((open) => path.startsWith(`${open}.`) && !hasMembers(known, open));
        expect(known.has(path) || inMap || inFree, `${id} ${path}`).toBe(true);
      }
    }
  });

  it('about one route has the codes it may answer with and the weights of a score it carries (I4.F18.2)', () => {
    const part = (id: string) => emit(routes.filter((route) => route.id === id));
    const codes = (id: string) => part(id).errors.map(({ code }) => code);
    // the manifest is free: none of its answers is about a payment, a key or a grant
    expect(codes('F13')).toEqual(expect.arrayContaining(['invalid_parameter', 'not_found']));
    const paidOnly = document.errors.filter(({ status }) => [401, 402, 403, 406, 409].includes(status));
    expect(document.errors.length - codes('F13').length).toBe(paidOnly.length);
    // tools alone ask for a form of answer they cannot have
    const ofTools = document.errors.filter(({ status }) => status === 406).map(({ code }) => code);
    expect([...codes('R11'), ...ofTools].sort()).toEqual(document.errors.map(({ code }) => code).sort());
    expect(codes('R31')).toEqual(document.errors.map(({ code }) => code));
    expect(part('R11').alpha_weights).toEqual({});
    expect(part('R09').alpha_weights).toEqual({ version: 'w' });
    expect(document.alpha_weights).toEqual({ version: 'w' });
  });

  it('says what every member means', () => {
    const silent = complete.fields.filter((field) => field.description === '');
    expect(silent.map((field) => `${field.resource}: ${field.path}`)).toEqual([]);
  });

  it.each(Object.values(payloads))(
    'uses every meaning $id states, and no shared one says the same',
    (own) => {
      const meanings = meaningsOf(own.id);
      const fields = complete.fields.filter((field) => field.resource === own.id);
      const used = new Set(fields.map((field) => meaningKey(meanings, field)));
      const others = Object.values(payloads).filter(({ id }) => id !== own.id);
      const embedded = (key: string) => others.some(({ id }) => meaningsOf(id)[key] === meanings[key]);
      expect(Object.keys(meanings).filter((key) => !used.has(key) && !embedded(key))).toEqual([]);
      const repeated = Object.keys(meanings).filter((key) => sharedMeanings[key] === meanings[key]);
      expect(repeated).toEqual([]);
    },
  );

  it('states each shared meaning once, and only one that is used', () => {
    const used = new Set(
      complete.fields.map((field) => {
        const own = Object.values(payloads).find(({ id }) => id === field.resource);
        const isOwn = own !== undefined && meaningKey(meaningsOf(own.id), field) !== null;
        return isOwn ? null : meaningKey(sharedMeanings, field);
      }),
    );
    expect(Object.keys(sharedMeanings).filter((key) => !used.has(key))).toEqual([]);
    expect(sharedMeanings['risk_tier']).toContain(tierMeaning);
  });

  it('tells a name apart by the payload and object it stands in', () => {
    const described = (resource: string, path: string) =>
      complete.fields.find((field) => field.resource === resource && field.path === path)?.description;
    expect(described('alpha_signals.v1', 'debt_cleanliness_breakdown.source')).toContain('Points');
    expect(described('issuer_field_map.v1', 'source')).toBe('Where it comes from.');
    expect(described('company_fundamentals.v1', 'source_date')).toContain('delta');
  });

  it('shows nullability, presence and closed lists as the interface does (I2.4, I5.48)', () => {
    const stress = document.fields.filter((field) => field.resource === 'covenant_stress.v1');
    const named = (path: string) => stress.find((field) => field.path === path);
    expect(named('risk_tier')).toMatchObject({
      type: 'string',
      nullable: false,
      required: true,
      enum: ['CRITICAL', 'HIGH', 'MODERATE', 'LOW', 'UNCLASSIFIED'],
    });
    expect(named('bitcoin_units_held')).toMatchObject({ type: 'number', nullable: true, required: false });
    expect(document.fields.find((field) => field.path === 'settlement_receipt.charge_status')).toMatchObject({
      resource: 'envelope',
      enum: [
        'not_charged',
        'authorized',
        'queued_for_batch',
        'submitted',
        'settled',
        'failed',
        'refunded',
        'disputed',
      ],
    });
  });

  it('publishes the test vector of the canonical form as the form gives it (I4.32)', async () => {
    const { test_vector: vector } = document.integrity.canonical_form;
    expect(canonicalJson({ v: ExactDecimal.parse('9007199254740993') })).toBe(vector.json);
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(vector.json));
    expect(Buffer.from(digest).toString('hex')).toBe(vector.sha256);
  });

  it('lists tools only while the tool endpoint is live (I4.37)', () => {
    const live = routes.some((route) => route.id === 'R31' && route.status === 'live');
    expect(document.mcp.tools.length > 0).toBe(live);
  });

  it('reserves what the payload check refuses (I5.47)', () => {
    for (const name of document.reserved_members) expect(isReservedMember(name), name).toBe(true);
  });
});

function hasMembers(known: ReadonlySet<string>, path: string): boolean {
  return [...known].some((other) => other.startsWith(`${path}.`));
}
