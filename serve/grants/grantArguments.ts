import { type GrantProgram, grantPrograms } from '../../data/contract/billing/grants.ts';
import { IssuerError, usageError } from '../../data/contract/errors/issuerError.ts';
import { isCivilDate } from '../../data/contract/values/primitives.ts';
import { checksumAddress } from '../evm/ethereumBytes.ts';
import { type Coverage, coverageOf } from './coverage.ts';

// what an operator writes behind `grants`; each reader throws IssuerError `usage`

const accountPattern = /^[A-Za-z0-9._@+-]{3,128}$/;

/** A program by its name. */
export function program(text: string): GrantProgram {
  if (Object.hasOwn(grantPrograms, text)) return text as GrantProgram;
  throw usageError('--program names no program.', `Use ${Object.keys(grantPrograms).join(' or ')}.`);
}

/** A wallet in lower case. */
export function walletArgument(text: string): string {
  try {
    return checkedWallet(text);
  } catch {
    throw usageError(
      'That is not a wallet address.',
      'Give 0x and 40 hex digits, in lower case or checksummed.',
    );
  }
}

/** An account as the buyer names it (P5.3). */
export function accountArgument(text: string): string {
  if (accountPattern.test(text)) return text;
  throw usageError(
    '--account is not 3 to 128 letters, digits or . _ @ + -.',
    'Write for example --account desk-1.',
  );
}

/** Micro-USD of an amount in USD with at most 6 decimals. */
export function microOf(text: string, option: string): number {
  const [, whole, fraction = ''] = /^(\d{1,7})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  const micro = Number(whole) * 1_000_000 + Number(fraction.padEnd(6, '0'));
  if (Number.isSafeInteger(micro) && micro > 0) return micro;
  throw usageError(
    `${option} is not an amount in USD.`,
    `Write for example ${option} 100 or ${option} 12.50.`,
  );
}

/** Refuses a budget outside the range of its program unless the operator insists (I5.43). */
export function requireRange({
  program,
  budgetMicro,
  override,
}: {
  program: GrantProgram;
  budgetMicro: number;
  override: boolean;
}): void {
  const { min, max } = grantPrograms[program].recommended_budget_range_usd;
  if (override || (budgetMicro >= min * 1_000_000 && budgetMicro <= max * 1_000_000)) return;
  throw usageError(
    `A budget of ${program} lies between ${min} and ${max} USD.`,
    'Add --override-range to go beyond it.',
  );
}

/** The routes of a comma-separated list of `METHOD /path/template`. */
export function coverageArgument(text: string, option: string): Coverage {
  const coverage = coverageOf(text.split(',').map((part) => part.trim()));
  if ('unknown' in coverage) {
    throw usageError(
      `${option} names ${JSON.stringify(coverage.unknown.slice(0, 100))}, which a grant cannot cover.`,
      `Write routes as /v1/pricing lists them, for example ${option} "GET /v1/readiness".`,
    );
  }
  if ('unpriced' in coverage)
    throw usageError(`${option} names no priced route.`, 'A budget needs something to spend it on.');
  return coverage;
}

/** Milliseconds of a later day or UTC instant. */
export function laterInstant(text: string, nowMs: number): number {
  const full = isCivilDate(text) ? `${text}T00:00:00Z` : text;
  const valid = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(full) && isCivilDate(full.slice(0, 10));
  const ms = valid ? Date.parse(full) : Number.NaN;
  if (ms > nowMs) return ms;
  throw usageError(
    Number.isNaN(ms) ? '--until is neither a day nor a UTC instant.' : '--until lies in the past.',
    'Write for example --until 2027-01-01 or --until 2027-01-01T12:00:00Z.',
  );
}

/** Whole days of a budget's life. */
export function daysArgument(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw usageError('--days is not a number of days.', 'Write for example --days 30.');
}

/** The grant id as typed, checked in form only. */
export function grantIdArgument(text: string): string {
  if (/^grt_[0-9A-HJKMNP-TV-Z]{26}$/.test(text)) return text;
  throw usageError('That is not a grant id.', 'grants list shows them: grt_ and 26 letters and digits.');
}

/**
 * Lower-case address of a wallet that may sign: in mixed case it is a valid EIP-55 checksum, and not zero (I4.F04.1).
 *
 * @throws IssuerError `invalid_parameter`
 */
export function checkedWallet(text: string): string {
  const wallet = text.toLowerCase();
  if (!/^0x[0-9a-f]{40}$/.test(wallet)) throw badWallet('pattern', 'It is 0x and 40 hex digits.');
  if (/^0x0{40}$/.test(wallet)) throw badWallet('zero_address', 'The zero address cannot sign.');
  const digits = text.slice(2);
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  if (!oneCase && text !== checksumAddress(wallet))
    throw badWallet('checksum', 'Its letter case is no EIP-55 checksum; send it in lower case.');
  return wallet;
}

function badWallet(reason: string, hint: string): IssuerError {
  return new IssuerError({
    code: 'invalid_parameter',
    message: 'wallet is not valid.',
    hint,
    details: { parameter: 'wallet', reason },
  });
}
