import { describe, expect, it } from 'vitest';
import { companyFundamentals } from '../../data/contract/payloads/issuer/companyFundamentals.ts';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { peerRanking } from '../../data/contract/payloads/issuer/peerRanking.ts';
import { etfPressureState } from '../../data/contract/payloads/market/etfPressureState.ts';
import { payloadCaveats } from './envelope.ts';

const complete = 'complete' as const;
/** Caveats of a payload as stored, without its closing brace. */
const said = (payload: object, sliceStatus: 'complete' | 'partial' = complete) =>
  payloadCaveats({ open: Buffer.from(JSON.stringify(payload).slice(0, -1)), sliceStatus });

describe('caveats of an answer (I4.31b)', () => {
  it('are none for a row of quality High without notes', () => {
    const row = { ...covenantStress.example, quality_flag: 'High' };
    expect(said(row)).toEqual({ qualityFlags: [], caveats: [] });
  });

  it('repeat grade, basis, relevance, authored arcs and notes of a covenant row', () => {
    const row = {
      ...covenantStress.example,
      quality_flag: 'Low',
      figures_basis: 'debt_unproven',
      treasury_relevance: 'incidental',
      arcs_authored: true,
      data_quality_notes: ['stress_untrusted', 'figures_lower_bound:debt'],
    };
    expect(said(row)).toEqual({
      qualityFlags: ['quality_low', 'debt_unproven', 'treasury_incidental', 'arcs_authored'],
      caveats: ['figures_lower_bound:debt', 'stress_untrusted'],
    });
  });

  it('say of fundamentals that a fact has no decimals, and of any answer that its accession is a placeholder', () => {
    const { provenance, ...rest } = companyFundamentals.example;
    const { revenue } = provenance.facts;
    const { decimals: _, ...bare } = revenue ?? {};
    const accession = { accession_number: '0000000000-25-016698' };
    expect(said({ ...rest, provenance: { ...provenance, facts: { revenue: bare } } }).caveats).toEqual([
      'decimals_not_at_hand',
    ]);
    expect(said({ ...rest, provenance: { ...provenance, ...accession } }).caveats).toEqual([
      'accession_placeholder',
    ]);
    expect(said({ ...peerRanking.example, ...accession }).caveats).toEqual(['accession_placeholder']);
    // exact is known
    const exact = { revenue: { ...revenue, decimals: null } };
    expect(said({ ...rest, provenance: { ...provenance, facts: exact } }).caveats).toEqual([]);
  });

  it('repeat the flags and caveats of a pressure read', () => {
    const { quality_flags: qualityFlags, caveats } = etfPressureState.example;
    expect(said(etfPressureState.example)).toEqual({ qualityFlags, caveats });
    expect(qualityFlags.length + caveats.length).toBeGreaterThan(1);
  });

  it('leave lists and histories to their rows, and say that a slice is partial', () => {
    expect(payloadCaveats({ open: null, sliceStatus: 'partial' })).toEqual({
      qualityFlags: ['partial_slice'],
      caveats: [],
    });
    const history = { data: [{ ...covenantStress.example, quality_flag: 'Low' }] };
    expect(said(history)).toEqual({ qualityFlags: [], caveats: [] });
    const huge = { quality_flag: 'Low', notes: 'x'.repeat(300_000) };
    expect(said(huge)).toEqual({ qualityFlags: [], caveats: [] });
  });
});
