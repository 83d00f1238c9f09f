import { usd } from './servableHeaders.ts';

/** What a receipt charged, as its header prints it (I4.24). */
export function costOf({ chargedMicro }: { readonly chargedMicro: number }): string {
  return chargedMicro === 0 ? '0.000000' : usd(chargedMicro);
}
