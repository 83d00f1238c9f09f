const decimalPattern = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$|^([+-]?)\.(\d+)$/;

/**
 * A decimal number stored digit by digit: `units · 10^-scale`.
 *
 * Filed money lives in this type until it is printed, so a sum of filed figures is exact and a published
 * amount has no digit the filing lacks (METHODOLOGY M10.8, M10.9).
 */
export class ExactDecimal {
  readonly units: bigint;
  readonly scale: number;

  static readonly zero = new ExactDecimal(0n, 0);

  constructor(units: bigint, scale: number) {
    let u = units;
    let s = scale;
    // one representation per value: no trailing fractional zeros
    while (s > 0 && u % 10n === 0n) {
      u /= 10n;
      s -= 1;
    }
    this.units = u;
    this.scale = s;
  }

  /** Reads a decimal literal (`-12`, `1.50`, `6000000000.0`, `1e3`); null when the text is not one. */
  static tryParse(text: string): ExactDecimal | null {
    const m = decimalPattern.exec(text);
    if (m === null) return null;
    const sign = (m[1] ?? m[5]) === '-' ? -1n : 1n;
    const whole = m[2] ?? '0';
    const fraction = m[3] ?? m[6] ?? '';
    const exponent = m[4] === undefined ? 0 : Number(m[4]);
    const digits = sign * BigInt(whole + fraction);
    const scale = fraction.length - exponent;
    return scale >= 0 ? new ExactDecimal(digits, scale) : new ExactDecimal(digits * 10n ** BigInt(-scale), 0);
  }

  /** As {@link tryParse}, for text already known to be a decimal; throws RangeError otherwise. */
  static parse(text: string): ExactDecimal {
    const parsed = ExactDecimal.tryParse(text);
    if (parsed === null) throw new RangeError(`not a decimal number: ${text.slice(0, 40)}`);
    return parsed;
  }

  /** The decimal a finite double prints as (its shortest form). */
  static fromNumber(value: number): ExactDecimal {
    return ExactDecimal.parse(String(value));
  }

  plus(other: ExactDecimal): ExactDecimal {
    const scale = Math.max(this.scale, other.scale);
    return new ExactDecimal(this.unitsAt(scale) + other.unitsAt(scale), scale);
  }

  minus(other: ExactDecimal): ExactDecimal {
    const scale = Math.max(this.scale, other.scale);
    return new ExactDecimal(this.unitsAt(scale) - other.unitsAt(scale), scale);
  }

  times(other: ExactDecimal): ExactDecimal {
    return new ExactDecimal(this.units * other.units, this.scale + other.scale);
  }

  negated(): ExactDecimal {
    return new ExactDecimal(-this.units, this.scale);
  }

  /** Half up, ties away from zero (M0.4), at `digits` decimals. */
  rounded(digits: number): ExactDecimal {
    if (this.scale <= digits) return this;
    const divisor = 10n ** BigInt(this.scale - digits);
    const half = divisor / 2n;
    const magnitude = this.units < 0n ? -this.units : this.units;
    const quotient = (magnitude + half) / divisor;
    return new ExactDecimal(this.units < 0n ? -quotient : quotient, digits);
  }

  compare(other: ExactDecimal): -1 | 0 | 1 {
    const scale = Math.max(this.scale, other.scale);
    const a = this.unitsAt(scale);
    const b = other.unitsAt(scale);
    return a < b ? -1 : a > b ? 1 : 0;
  }

  equals(other: ExactDecimal): boolean {
    return this.units === other.units && this.scale === other.scale;
  }

  get sign(): -1 | 0 | 1 {
    return this.units > 0n ? 1 : this.units < 0n ? -1 : 0;
  }

  /** Nearest double; for ratios only, never for money that is published. */
  toNumber(): number {
    return Number(this.toString());
  }

  /** Shortest decimal form: no exponent, no leading zero, no trailing fractional zero. */
  toString(): string {
    if (this.scale === 0) return this.units.toString();
    const negative = this.units < 0n;
    const digits = (negative ? -this.units : this.units).toString().padStart(this.scale + 1, '0');
    const cut = digits.length - this.scale;
    return `${negative ? '-' : ''}${digits.slice(0, cut)}.${digits.slice(cut)}`;
  }

  private unitsAt(scale: number): bigint {
    return this.units * 10n ** BigInt(scale - this.scale);
  }
}

/**
 * A number at a fixed number of decimals, as every text of the service prints it: the digits of its shortest decimal
 * form rounded half away from zero (M0.4, M11.8), so that 17.65 is `17.7` and not what its binary form is nearest to.
 * Zero has no sign.
 *
 * @param value a finite number
 */
export function fixedText(value: number | ExactDecimal, digits: number): string {
  const decimal = typeof value === 'number' ? ExactDecimal.fromNumber(value) : value;
  const { units, scale } = decimal.rounded(digits);
  const text = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).padEnd(digits, '0');
  return `${units < 0n ? '-' : ''}${whole}${digits === 0 ? '' : `.${fraction}`}`;
}
