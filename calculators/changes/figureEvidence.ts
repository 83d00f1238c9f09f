import type { CovenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';

/** What debt and coins of a row rest on; null where the side has no amount, or the row does not say. */
export type FigureEvidence = {
  readonly debt: 'linkbase' | 'document_order' | 'single_facts' | null;
  readonly coins: 'fair_value' | 'cost' | null;
};

type Read = Partial<Pick<CovenantStress, 'data_source' | 'root_resolution_method' | 'crypto_units_basis'>>;

/** The kind of evidence of a published row (M1.24, M2.12); view `stress` says the same in SQL. */
export function figureEvidence({
  data_source: source,
  root_resolution_method: method,
  crypto_units_basis: basis,
}: Read): FigureEvidence {
  const fallback =
    method === 'face_order' ? 'document_order' : method === 'direct_precedence' ? 'single_facts' : null;
  const isLinkbase = source !== undefined && source !== 'direct_facts_fallback';
  const isStated = basis !== undefined && basis !== 'unavailable';
  return {
    debt: isLinkbase ? 'linkbase' : fallback,
    coins: basis === 'carrying_value_lower_bound' ? 'cost' : isStated ? 'fair_value' : null,
  };
}

/** True where two rows of an issuer read debt or coins from different kinds of evidence. */
export function isReadDifferently(a: FigureEvidence, b: FigureEvidence): boolean {
  const differ = (side: keyof FigureEvidence) => a[side] !== null && b[side] !== null && a[side] !== b[side];
  return differ('debt') || differ('coins');
}
