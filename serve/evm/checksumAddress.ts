import { keccak256 } from './keccak256.ts';

/** An address in the mixed-case spelling of EIP-55, as the wire shows a payer (P2.10). Takes lower-case hex. */
export function checksumAddress(lowerCase: string): string {
  const digits = lowerCase.slice(2);
  const hash = keccak256(Buffer.from(digits, 'ascii'));
  let spelled = '0x';
  for (let i = 0; i < digits.length; i += 1) {
    const nibble = ((hash[i >> 1] ?? 0) >> (i % 2 === 0 ? 4 : 0)) & 15;
    const digit = digits.charAt(i);
    spelled += nibble >= 8 ? digit.toUpperCase() : digit;
  }
  return spelled;
}
