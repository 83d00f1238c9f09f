import type { CompanyFundamentals } from '../contract/companyFundamentals.ts';
import type { CovenantStress } from '../contract/covenantStress.ts';
import { covenantRow } from './covenantRow.ts';
import { type FiledFundamentals, filedFundamentals } from './fundamentals/filedFundamentals.ts';
import { issuerTrail } from './issuerTrail.ts';
import type { ResolutionTrail } from './resolutionTrail.ts';
import { resolveIssuer } from './resolveIssuer.ts';
import type { Filing, Issuer, IssuerInputs } from './rows.ts';
import type { SliceContext } from './sliceContext.ts';

export type { SliceContext };

/** The payloads of one issuer. */
export type IssuerResult = {
  readonly issuer: Issuer;
  readonly filing: Filing;
  readonly stress: CovenantStress;
  readonly fundamentals: CompanyFundamentals;
  /** How the stress figures follow from filed facts; null for a resolver that keeps no trail. */
  readonly trail: ResolutionTrail | null;
};

/** Computes the payloads of one issuer from the filing in force and the slice's closes (I2.4, I2.7). */
export function computeIssuer(inputs: IssuerInputs, context: SliceContext): IssuerResult {
  const { issuer, filing } = inputs;
  const { parameters, prices } = context;
  const resolved = resolveIssuer(inputs, { date: context.sourceDate, prices, parameters });
  const filed = filedFundamentals({ sheet: resolved.sheet, filing, parameters });
  const stress = covenantRow(resolved, context, filed.notes);
  const fundamentals = fundamentalsOf({ filing, stress, filed });
  return { issuer, filing, stress, fundamentals, trail: issuerTrail(resolved, stress) };
}

function fundamentalsOf(o: {
  filing: Filing;
  stress: CovenantStress;
  filed: FiledFundamentals;
}): CompanyFundamentals {
  const { filing, stress, filed } = o;
  const computedAt = stress.computed_at_utc ?? null;
  return {
    ticker: stress.ticker,
    entity_name: stress.entity_name ?? stress.ticker,
    cik: stress.cik,
    period: filing.period,
    filing_form: filing.form,
    // the issuer's newest delta is its newest filing (I3.27)
    source_date: filing.filed,
    last_updated: computedAt,
    fundamentals: filed.fundamentals,
    fundamentals_context: filed.context,
    segment_data: { available: false, segments: [] },
    related_party_transactions: { available: false, transactions: [] },
    subsequent_events: { available: false, events: [] },
    provenance: {
      root_resolution_method: stress.root_resolution_method,
      mapping_hit_count: stress.mapping_hit_count,
      is_linkbase_backed: stress.is_linkbase_backed,
      data_source: stress.data_source,
      quality_flag: stress.quality_flag,
      accession_number: filing.accession,
      source_date: filing.filed,
      computed_at_utc: computedAt,
      facts: filed.facts,
    },
  };
}
