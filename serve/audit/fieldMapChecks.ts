import type { IssuerFieldMap } from '../../data/contract/payloads/issuer/issuerFieldMap.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

/** Points out of order or out of bounds (M15.53, M15.54). */
export function* fieldMapProblems({ points }: IssuerFieldMap): Generator<string> {
  for (const [i, point] of points.entries()) {
    const before = points[i - 1];
    if (before !== undefined && before.date >= point.date) yield `${point.date} is out of order`;
    for (const name of ['field_pressure', 'stored_energy', 'price_echo'] as const) {
      const value = point[name];
      if (value !== null && (value < 0 || value > 1)) yield `${name} of ${point.date} is outside 0 … 1`;
    }
    if (point.compression === 1 && point.release === 1) yield `${point.date} is compression and release`;
    if (point.E_total !== null && point.R_s !== null && !isEnergyOf(point.E_total, point.R_s)) {
      yield `E_total of ${point.date} is below 2·|R_s|`;
    }
  }
}

/** Both are rounded to six decimals by at most half of the last, and R counts twice. */
const energyRounding = ExactDecimal.parse('0.0000015');

function isEnergyOf(energy: number, reinforcement: number): boolean {
  const size = ExactDecimal.fromNumber(Math.abs(reinforcement));
  return size.plus(size).compare(ExactDecimal.fromNumber(energy).plus(energyRounding)) <= 0;
}
