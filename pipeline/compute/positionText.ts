import type { IssuerPosition } from '../../calculators/position/positionIssuer.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';

// no member of a position has an empty name, so an object with that one member is a decimal
const decimalMember = '';

/**
 * Writes a position as JSON that keeps every digit of its amounts.
 *
 * @throws TypeError for a number JSON does not know.
 */
export function positionText(position: IssuerPosition): string {
  return JSON.stringify(position, (_, value: unknown) => {
    if (value instanceof ExactDecimal) return { [decimalMember]: value.toString() };
    if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is not JSON`);
    return value;
  });
}

/** Reads what {@link positionText} wrote; what it was written for is checked by its hash, not here. */
export function parsePosition(text: string): IssuerPosition {
  return JSON.parse(text, (_, value: unknown) => {
    if (value === null || typeof value !== 'object') return value;
    const digits = (value as Record<string, unknown>)[decimalMember];
    return typeof digits === 'string' ? ExactDecimal.parse(digits) : value;
  }) as IssuerPosition;
}
