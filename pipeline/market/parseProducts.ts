import { z } from 'zod';
import type { Product } from '../../calculators/market/baskets/product.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { isCivilDate } from '../../data/contract/values/primitives.ts';

const day = z.string().refine(isCivilDate, 'is not a day YYYY-MM-DD');
const constituent = z.strictObject({
  ticker: z.string().regex(/^[A-Z0-9.]{1,20}$/),
  cik: z
    .string()
    .regex(/^\d{10}$/)
    .nullable(),
  name: z.string().min(1),
  kind: z.enum(['coin', 'stock']),
  weight: z.number().positive().max(1).nullable(),
});
const version = z
  .strictObject({
    effective_date: day,
    source: z.string().min(1),
    method: z.enum(['fixed_share', 'capped', 'single', 'price_weighted', 'equal', 'not_public']),
    weights_public: z.boolean(),
    stand_in: z.boolean(),
    notes: z.array(z.string().min(1)),
    constituents: z.array(constituent).min(1).max(1000),
  })
  .refine(
    ({ constituents }) => isUnique(constituents.map(({ ticker }) => ticker)),
    'names a constituent twice',
  )
  .transform(({ effective_date, weights_public, stand_in, ...rest }) => ({
    ...rest,
    effectiveDate: effective_date,
    weightsPublic: weights_public,
    standIn: stand_in,
  }));
const product = z
  .strictObject({
    product: z.string().regex(/^[A-Z0-9-]{1,40}$/),
    display_name: z.string().min(1),
    aliases: z.array(z.string().regex(/^[A-Z0-9-]{1,40}$/)),
    kind: z.enum(['coin', 'coin_basket', 'equity_basket']),
    index_symbol: z.string().regex(/^[A-Z0-9]{1,20}$/),
    underlying_ticker: z.string().nullable(),
    expires: day.nullable(),
    contracts: z
      .array(
        z.strictObject({
          venue: z.string().regex(/^[a-z0-9-]{1,40}$/),
          symbol: z.string().regex(/^[A-Z0-9-]{1,40}$/),
          from: day,
          to: day.nullable(),
        }),
      )
      .min(1),
    versions: z.array(version).min(1),
  })
  .refine(({ versions }) => isAscending(versions.map((one) => one.effectiveDate)), {
    error: 'lists its versions in another order than that of their dates',
  })
  .transform(({ display_name, index_symbol, underlying_ticker, ...rest }) => ({
    ...rest,
    displayName: display_name,
    indexSymbol: index_symbol,
    underlyingTicker: underlying_ticker,
  }));
const registry = z
  .strictObject({ version: z.string().min(1), products: z.array(product) })
  .refine(({ products }) => isUnique(products.flatMap((one) => [one.product, ...one.aliases])), {
    error: 'gives a product or an alias twice',
  });

/** The registry of products: its version and what it lists (M8.1, M8.6). */
export type ProductRegistry = { readonly version: string; readonly products: readonly Product[] };

/** @throws IssuerError `validation_failed` naming the first member of `data/registry/products.json` that does not fit. */
export function parseProducts(json: unknown): ProductRegistry {
  const parsed = registry.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const name = issue?.path.join('.') ?? '';
  throw new IssuerError({
    code: 'validation_failed',
    message: `The registry of products is not well formed at ${name || 'its top'}: ${issue?.message ?? 'invalid'}.`,
    hint: 'Mend that member of data/registry/products.json; CONTRIBUTING.md says how a product is added.',
    details: { name },
  });
}

function isUnique(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

function isAscending(dates: readonly string[]): boolean {
  return dates.every((date, i) => i === 0 || (dates[i - 1] ?? '') < date);
}
