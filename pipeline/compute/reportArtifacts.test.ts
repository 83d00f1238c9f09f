import { describe, expect, it } from 'vitest';
import { composeGraded } from '../../calculators/composeSlice.ts';
import { addDays } from '../../calculators/exact/civilDate.ts';
import { capitalLeg, legNames, requiredLegs } from '../../data/contract/billing/reportDepth.ts';
import type { CovenantFacility } from '../../data/contract/payloads/issuer/facility.ts';
import { type FieldPoint, issuerFieldMap } from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import {
  type CompanyReportFrame,
  companyReport,
} from '../../data/contract/payloads/reports/companyReport.ts';
import { reportLegs } from '../../data/contract/payloads/reports/reportLegs.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { composeLeg, composeReport, evidenceOf, openFrame } from '../../data/store/bytes/composeReport.ts';
import { anyCapital } from '../../fixtures/builders/anyCapital.ts';
import {
  goldenContext,
  goldenDate,
  goldenParameters,
  goldenPositions,
} from '../../fixtures/builders/goldenSlice.ts';
import { sampleFieldMaps } from '../../fixtures/rigs/sampleHistory.ts';
import { releaseArtifacts } from '../families/releaseArtifacts.ts';
import { type Artifact, sha256Hex } from '../release/artifact.ts';
import { type ReportSubject, reportArtifacts, reportKeys } from './reportArtifacts.ts';

// a principal that no double holds
const principal = ExactDecimal.parse('9007199254740993');
const facility: CovenantFacility = {
  facility_id: 'x',
  name: 'x:TermLoanMember',
  drawn: principal,
  drawn_basis: null,
  limit: null,
  collateral_asset: 'BTC',
  collateral_units: 3300,
  collateral_value: null,
  collateral_basis: null,
  ltv: null,
  trigger_ltv: null,
  trigger_kind: null,
  margin_call_price: null,
  price_fall_to_call: null,
  live_ltv: null,
  live_price_fall_to_call: null,
  price_date: null,
  as_of: '2025-09-30',
  is_subsequent: false,
  confidence: 'High',
  notes: [],
  fact_refs: [],
};

const composed = composeGraded(goldenPositions(), { context: await goldenContext(), history: [] });
const borrower = composed.issuers[0]?.issuer.cik ?? '';
const withLoans = <Row extends { readonly cik?: string | undefined }>(row: Row): Row =>
  row.cik === borrower ? { ...row, facilities: [facility] } : row;
const slice = {
  ...composed,
  covenantRows: composed.covenantRows.map(withLoans),
  issuers: composed.issuers.map((one) => ({
    ...one,
    stress: withLoans(one.stress),
    capital: { capital: anyCapital({ sourceDate: goldenDate }), fault: null },
  })),
};
const { artifacts } = await releaseArtifacts(
  {
    slice: {
      sourceDate: goldenDate,
      slice,
      history: [],
      parameters: goldenParameters,
      issuers: slice.issuers.map(({ issuer }) => issuer),
    },
  },
  { backfilled: false },
);
const made = new Map(
  artifacts.flatMap((one): [string, Artifact][] => ('bytes' in one ? [[one.key, one]] : [])),
);
const release = {
  sourceDate: goldenDate,
  asOf: '2026-02-07T07:12:40Z',
  sliceStatus: 'complete' as const,
  made,
};

function subject(cik: string, available: { segments?: boolean; relatedParty?: boolean } = {}): ReportSubject {
  const one = slice.issuers.find(({ issuer }) => issuer.cik === cik);
  if (one === undefined) throw new RangeError(`the golden slice has no ${cik}`);
  const { segment_data, related_party_transactions, ...filed } = one.fundamentals;
  return {
    stress: one.stress,
    fundamentals: {
      ...filed,
      segment_data: { ...segment_data, available: available.segments ?? false },
      related_party_transactions: {
        ...related_party_transactions,
        available: available.relatedParty ?? false,
      },
    },
    unranked: null,
    computedAt: { covenant_stress: one.stress.computed_at_utc ?? null },
  };
}
const frameOf = ({ bytes }: Artifact) =>
  JSON.parse(Buffer.from(bytes).toString('utf8')) as CompanyReportFrame;
const variants = (cik: string, available: Parameters<typeof subject>[1]) =>
  reportArtifacts(release)(subject(cik, available)).map(({ key }) => key.split('/').at(-1));

describe('the stored reports of an issuer', () => {
  it('are one for each mode and each part that its filing has (I4.R29.2b)', () => {
    expect(variants(borrower, {})).toEqual(['compact.json', 'full.json']);
    expect(variants(borrower, { segments: true })).toEqual([
      ...['compact.json', 'compact+seg.json', 'full.json', 'full+seg.json'],
    ]);
    expect(variants(borrower, { segments: true, relatedParty: true })).toHaveLength(8);
    const both = subject(borrower, { segments: true, relatedParty: true });
    expect(reportKeys(goldenDate, both)).toEqual(reportArtifacts(release)(both).map(({ key }) => key));
  });

  it('name each part by the hash of its artifact, and all of them by one (I2.68)', () => {
    const [stored] = reportArtifacts(release)(subject(borrower));
    if (stored === undefined) throw new RangeError('it has a report');
    const { data } = frameOf(stored);
    const legs = new Map(
      reportLegs.flatMap((leg) => {
        const artifact = made.get(leg.key({ slice: goldenDate, cik: borrower, variant: '' }));
        const added = openFrame(Buffer.from(stored.bytes).subarray(0, -1)).leg(leg.name);
        if (artifact === undefined || added === null) return [];
        const open = Buffer.from(artifact.bytes).subarray(0, -1);
        const row = data.legs.find(({ name }) => name === leg.name);
        expect(row).toMatchObject({ artifact_key: artifact.key, payload_sha256: sha256Hex(artifact.bytes) });
        return [[leg.name, composeLeg(leg, { artifact: open, rows: [], added, mode: 'compact' })] as const];
      }),
    );
    expect([...legs.keys()]).toEqual([...requiredLegs, capitalLeg]);
    expect(data.evidence_hash).toBe(sha256Hex(evidenceOf(legNames, legs)));
  });

  it('hold the loans of the covenant part with every digit that was filed (M16.1)', () => {
    const [stored] = reportArtifacts(release)(subject(borrower));
    if (stored === undefined) throw new RangeError('it has a report');
    const frame = openFrame(Buffer.from(stored.bytes).subarray(0, -1));
    const leg = reportLegs.find(({ name }) => name === 'covenant_stress');
    const artifact = made.get(leg?.key({ slice: goldenDate, cik: borrower, variant: '' }) ?? '');
    if (leg === undefined || artifact === undefined) throw new RangeError('it has a covenant part');
    const open = Buffer.from(artifact.bytes).subarray(0, -1);
    const added = frame.leg('covenant_stress') ?? Buffer.from('{}');
    const covenant = composeLeg(leg, { artifact: open, rows: [], added, mode: 'compact' });
    const request = {
      ticker: 'X',
      source_date: goldenDate,
      output_mode: 'compact' as const,
      include_segments: false,
      include_related_party: false,
    };
    const report = composeReport(frame, {
      legs: new Map([['covenant_stress', covenant]]),
      request,
    }).toString();
    expect(report).toContain('"drawn":9007199254740993');
    expect(JSON.parse(`${report}}`).data.covenant_stress.facilities).toMatchObject([
      { name: 'x:TermLoanMember', collateral_asset: 'BTC', collateral_units: 3300, trigger_ltv: null },
    ]);
  });

  it('say what is missing and why, and cost the base where a required part is', () => {
    const ranks = reportLegs.find(({ name }) => name === 'peer_ranking');
    const without = new Map(made);
    without.delete(ranks?.key({ slice: goldenDate, cik: borrower, variant: '' }) ?? '');
    const reports = reportArtifacts({ ...release, made: without });
    const [unranked] = reports({ ...subject(borrower), unranked: 'figures_unproven' });
    if (unranked === undefined) throw new RangeError('it has a report');
    const { data } = companyReport.stored.object.schema.parse(frameOf(unranked));
    expect(data).toMatchObject({
      status: 'partial',
      partial: true,
      depth: { price_usd: 0.45, components: ['base'] },
    });
    expect(data.errors).toEqual([
      {
        leg: 'peer_ranking',
        code: 'issuer_not_ranked',
        detail: 'The slice has no rank of it (figures_unproven).',
      },
      {
        leg: 'spectra_field_map',
        code: 'historical_field_map_missing',
        detail: 'No field map of it is stored.',
      },
    ]);
  });

  it('are neither partial nor cheaper without the capital structure (M18.80)', () => {
    const reportOf = (those: ReadonlyMap<string, Artifact>) => {
      const [first] = reportArtifacts({ ...release, made: those })(subject(borrower));
      if (first === undefined) throw new RangeError('it has a report');
      return frameOf(first).data;
    };
    const without = new Map([...made].filter(([key]) => !key.startsWith('capital/')));
    expect(without.size).toBe(made.size - slice.issuers.length);
    const whole = reportOf(made);
    const dropped = reportOf(without);
    expect(whole.capital).toEqual({});
    expect(dropped).toMatchObject({ capital: null, partial: false, status: 'ok', depth: whole.depth });
    expect(dropped.errors.at(-1)).toEqual({
      leg: 'capital',
      code: 'no_artifact_for_source_date',
      detail: 'The slice does not hold it.',
    });
    expect(dropped.evidence_hash).not.toBe(whole.evidence_hash);
  });

  const empty = { E_total: null, R_s: null, field_pressure: null, stored_energy: null, price_echo: null };
  it.each<[string, number, Partial<FieldPoint>, Partial<FieldPoint>, (string[] | undefined)[]]>([
    ['no level', 40, empty, empty, [['base'], ['base']]],
    [
      'a level in its newest point alone',
      31,
      empty,
      {},
      [
        ['base', 'field_map'],
        ['base', 'field_map'],
      ],
    ],
    [
      'levels and 30 points',
      30,
      {},
      {},
      [
        ['base', 'field_map'],
        ['base', 'field_map'],
      ],
    ],
    [
      'levels and 31 points',
      31,
      {},
      {},
      [
        ['base', 'field_map'],
        ['base', 'field_map', 'full'],
      ],
    ],
    [
      'levels before its newest 30 points',
      40,
      {},
      empty,
      [
        ['base', 'field_map'],
        ['base', 'field_map', 'full'],
      ],
    ],
  ])(
    'of a map with %s cost what they hold, compact and full (I4.R29.3)',
    (_, count, older, last, components) => {
      const [example] = issuerFieldMap.example.points;
      if (example === undefined) throw new RangeError('the example has a point');
      const points = Array.from({ length: count }, (_, i) => ({
        ...example,
        ...(i === count - 1 ? last : older),
        date: addDays(goldenDate, i + 1 - count),
      }));
      const issuer = { cik: borrower, ticker: 'X', name: 'X', stress: 1, mapped: true };
      const maps = sampleFieldMaps({ sourceDate: goldenDate, issuers: [issuer], points });
      const mapped = new Map([...made, ...maps.map((one): [string, Artifact] => [one.key, one])]);
      const found = reportArtifacts({ ...release, made: mapped })(subject(borrower));
      expect(found.map((one) => frameOf(one).data.depth.components)).toEqual(components);
    },
  );

  it('are none with fewer parts than the base', () => {
    const few = new Map([...made].filter(([key]) => !key.startsWith('covenant/')));
    expect(reportArtifacts({ ...release, made: few })(subject(borrower))).toEqual([]);
  });
});
