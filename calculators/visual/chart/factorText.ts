import { fixed, ratioPercentText, ratioText, signedText, usdText } from './figures.ts';

type Form = 'small' | 'percent' | 'ratio' | 'signed' | 'usd' | 'bp';

// names short enough for a column, and how the number reads
const factors: Readonly<Record<string, { name: string; form: Form; unit: string }>> = {
  funding_annualized: { name: 'funding', form: 'percent', unit: 'a year' },
  basis_bps: { name: 'basis', form: 'bp', unit: 'basis points' },
  oi_change_24h: { name: 'open interest', form: 'percent', unit: 'in 24 hours' },
  oi_usd: { name: 'open interest', form: 'usd', unit: 'US dollars' },
  rv_30d: { name: 'volatility', form: 'percent', unit: '30 days' },
  rv_90d: { name: 'volatility', form: 'percent', unit: '90 days' },
  vol_ratio: { name: 'volatility', form: 'ratio', unit: '30 over 90 days' },
  momentum_7d: { name: 'momentum', form: 'signed', unit: 'log, 7 days' },
  momentum_30d: { name: 'momentum', form: 'signed', unit: 'log, 30 days' },
  turnover: { name: 'turnover', form: 'ratio', unit: 'a day' },
  amihud_30d: { name: 'illiquidity', form: 'small', unit: 'per USD million' },
  breadth_count: { name: 'breadth', form: 'ratio', unit: 'by count' },
  n_eff: { name: 'constituents', form: 'ratio', unit: 'effective' },
  liquidation_imbalance: { name: 'liquidations', form: 'signed', unit: 'long to short' },
  pressure: { name: 'pressure', form: 'signed', unit: 'z' },
};
const unitForms: ReadonlyMap<string, Form> = new Map([
  ['USD', 'usd'],
  ['bp', 'bp'],
  ['log return', 'signed'],
]);
const known = (id: string) => (Object.hasOwn(factors, id) ? factors[id] : undefined);

/** The short name of a factor, and what its number is in. */
export function factorName(id: string, unit: string): { readonly name: string; readonly unit: string } {
  return known(id) ?? { name: id.replaceAll('_', ' '), unit };
}

/** A factor in the form of its kind: percent, ratio, US dollars or basis points with one decimal. */
export function factorText(
  value: number,
  { id, unit }: { readonly id: string; readonly unit: string },
): string {
  switch (known(id)?.form ?? unitForms.get(unit) ?? 'ratio') {
    case 'percent':
      return ratioPercentText(value);
    case 'usd':
      return usdText(value);
    case 'bp':
      return fixed(value, 1);
    case 'small':
      return fixed(value, 6);
    case 'signed':
      return signedText(value);
    case 'ratio':
      return ratioText(value);
  }
}
