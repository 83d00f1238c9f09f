import { countText } from '../chart/figures.ts';

/** A count with its noun: `1 issuer`, `12 issuers`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
