import {
  type CalculationHistoryIndex,
  calculationHistoryIndex,
} from '../../contract/payloads/calculationHistory.ts';
import { ascending } from '../store/ascending.ts';

/** Reads where the calculation rows of each issuer lie (I4.R24.2). */
export function readCalculationIndex(
  json: unknown,
): { readonly value: CalculationHistoryIndex } | { readonly fault: string } {
  const parsed = calculationHistoryIndex.safeParse(json);
  if (!parsed.success) return { fault: 'it is not an index of calculation rows' };
  const { issuers, source_dates: dates } = parsed.data;
  const fits = issuers.every(
    (issuer) =>
      issuer.offsets.length === 2 * issuer.dates.length + 1 &&
      ascending(issuer.offsets) &&
      ascending(issuer.dates) &&
      (issuer.dates.at(-1) ?? 0) < Math.max(1, dates.length),
  );
  return fits ? { value: parsed.data } : { fault: 'its offsets do not fit its dates' };
}
