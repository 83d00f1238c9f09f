import { compareText } from '../compareText.ts';
import type { BasketPart, FieldMapRow } from './fieldMapRow.ts';

const weight = 'weight:';
const reference = 'reference_close:';

/** The numbers of a row a field map cannot read from its covenant row, as `field_map_inputs` keeps them (I2.54). */
export function fieldMapInputs(row: FieldMapRow): Record<string, number | null> {
  return {
    st_z: row.stZ,
    own_z: row.ownZ,
    mp_z: row.mpZ,
    stress_50pct: row.stress,
    price_index: row.priceIndex,
    ...Object.fromEntries(row.basket.map((part) => [`${weight}${part.asset}`, part.weight])),
    ...Object.fromEntries(row.basket.map((part) => [`${reference}${part.asset}`, part.reference])),
  };
}

/** The basket that {@link fieldMapInputs} kept, by asset. */
export function keptBasket(inputs: Readonly<Record<string, number | null>>): BasketPart[] {
  return Object.entries(inputs)
    .flatMap(([key, value]) => {
      if (!key.startsWith(weight) || value === null) return [];
      const asset = key.slice(weight.length);
      const close = inputs[`${reference}${asset}`] ?? null;
      return close === null ? [] : [{ asset, weight: value, reference: close }];
    })
    .sort((a, b) => compareText(a.asset, b.asset));
}
