import { z } from 'zod';
import names from './productNames.json' with { type: 'json' };

/** A product that `{product}` takes in a path (I4.F06.2). */
export const productName = z.object({
  product: z.string(),
  name: z.string(),
  kind: z.enum(['basket_perp', 'single_perp']),
});
export type ProductName = z.infer<typeof productName>;

/** The products of the registry in its order, by the ids that routes take. */
export const productNames = (): ProductName[] => z.array(productName).parse(names);
