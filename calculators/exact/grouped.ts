import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

/** An amount with its digits in groups of three. */
export function grouped(value: ExactDecimal): string {
  const [whole = '', fraction] = value.toString().split('.');
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}
