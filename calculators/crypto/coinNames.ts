import { wordsOf } from '../network/conceptWords.ts';

/** What filers call a coin in members, units of measure and concept names, by asset symbol. */
const names: Readonly<Record<string, readonly string[]>> = {
  BTC: ['bitcoin', 'bitcoins', 'btc'],
  ETH: ['ether', 'ethereum', 'eth'],
  SOL: ['solana', 'sol'],
  LTC: ['litecoin', 'litecoins', 'ltc'],
  XRP: ['xrp', 'ripple'],
  BNB: ['bnb'],
  DOGE: ['dogecoin', 'doge'],
  ADA: ['cardano', 'ada'],
  AVAX: ['avalanche', 'avax'],
  TRX: ['tron', 'trx'],
  SUI: ['sui'],
  TON: ['toncoin'],
  HYPE: ['hyperliquid', 'hype'],
};

/** The one asset a member, unit of measure or concept names; null when it names none or several. */
export function assetOf(name: string): string | null {
  const words = wordsOf(name);
  const found = Object.entries(names).filter(([, own]) => own.some((word) => words.includes(word)));
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}
