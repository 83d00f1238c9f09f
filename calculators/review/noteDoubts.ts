import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { grouped } from '../exact/decimals.ts';
import { divide, exactly, rounded } from '../exact/fraction.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { RaisedDoubt, ReviewedRow } from './reviewedRow.ts';

type Told = {
  /** What stands after the colon of the note; empty for a note without. */
  readonly value: string;
  readonly row: ReviewedRow;
  readonly parameters: Parameters;
};
type Reading = (told: Told) => Omit<RaisedDoubt, 'kind'>;

/** Notes that question a figure, each with what it says and the amount it would have instead (M13.3). */
const doubting: Readonly<Record<string, Reading>> = {
  debt_candidates_disagree: ({ value }) => {
    const [a, b] = pair(value);
    const other = amountOf(b);
    return {
      ...debt(`two totals of debt fit the filing: ${shown(a)} and ${shown(b)}`),
      ...(other === null ? {} : { other: { debt: other } }),
      isProof: true,
    };
  },
  tier_depends_on_candidate: ({ value, row }) => {
    const [a, b] = pair(value);
    const words = `the tier is ${a} or ${b}, by the total that is taken`;
    return { ...(isDebtOpen(row) ? debt(words) : coins(words)), isProof: true, isRest: true };
  },
  liabilities_residual: ({ value, row }) => ({
    ...debt(`${shown(value)} of the liabilities is in no line that is filed`),
    ...more(row, value),
    isProof: true,
  }),
  unnamed_assets: ({ value }) =>
    coins(`names of ${shown(value)} of the assets do not say whether they are coins`),
  unnamed_liabilities: ({ value, row }) => ({
    ...debt(`names of ${shown(value)} of the liabilities do not say whether they are debt`),
    ...more(row, value),
  }),
  implied_interest: ({ value, row, parameters }) => {
    const { maxRate } = parameters.impliedInterest;
    const rate = amountOf(value);
    const fitting =
      rate === null ? null : rounded(divide(exactly(row.debt.times(rate)), exactly(maxRate)), 0);
    const fits = fitting === null ? '' : `; such interest fits a debt of ${grouped(fitting)} or more`;
    return {
      ...debt(`interest is ${percent(value)} of debt a year, above ${maxRate * 100} %${fits}`),
      ...(fitting === null ? {} : { other: { debt: fitting } }),
      isProof: true,
    };
  },
  subsequent_debt: ({ value, row }) => ({
    ...debt(`${shown(value)} of debt is dated after the period end`),
    ...more(row, value),
  }),
  debt_line_unconfirmed: ({ value, row }) => {
    const root = row.trail?.ratio.children[0].children.find(({ concept }) => concept === value);
    const words = `${value} counts as debt, and nothing else in the filing says so`;
    if (root === undefined) return debt(words);
    return { ...debt(`${words}: ${grouped(root.value)}`), other: { debt: row.debt.minus(root.value) } };
  },
  debt_line_misfiled: ({ value }) => ({
    ...debt(
      `${value} is filed in another currency or beside the day of the balance sheet, and is not counted`,
    ),
    isProof: true,
  }),
  zero_debt_unproven: ({ value }) => ({
    ...debt(`no debt is filed, and ${value} speaks against a zero`),
    isProof: true,
  }),
  debt_exceeds_liabilities: () => debt('a total of debt above the liabilities was found and left out'),
  inconsistent_duplicate: ({ value }) =>
    debt(`${value} is filed twice with values that contradict each other, and was not read`),
  carrying_below_principal: ({ parameters }) =>
    debt(`principal is more than ${parameters.principalExcess * 100} % above the carrying amount`),
  includes_finance_lease: () => debt('a debt line holds finance leases that are not filed apart'),
  cyclic_network: () => debt('a calculation network runs in a circle and was not read'),
  face_order_ambiguous: ({ value }) => ({
    ...(value === 'assets' ? coins : debt)(`the ${value} in document order add up in more than one way`),
  }),
  crypto_candidates_disagree: ({ value }) => {
    const [a, b] = pair(value);
    const other = amountOf(b);
    return {
      ...coins(`the filing gives totals of coins from ${shown(a)} to ${shown(b)}`),
      ...(other === null ? {} : { other: { crypto: other } }),
      isProof: true,
    };
  },
  crypto_unproven: ({ value }) => {
    const other = amountOf(value);
    const isStated = other !== null && other.sign > 0;
    const words = isStated
      ? `coins are not proven; the largest amount stated is ${grouped(other)}`
      : 'coins are not proven, and no amount is stated';
    return { ...coins(words), ...(isStated ? { other: { crypto: other } } : {}), isProof: true };
  },
  pledged_receivable: ({ value, row }) => ({
    ...coins(`${shown(value)} of coins at lenders stands beside the total`),
    ...moreCoins(row, value),
  }),
  customer_coins: ({ value, row }) => ({
    ...coins(`${shown(value)} of the coins is owed to customers`),
    ...moreCoins(row, `-${value}`),
  }),
  coins_outside_total: ({ value, row }) => ({
    ...coins(`${shown(value)} of coins lies in a line of another name and is not counted`),
    ...moreCoins(row, value),
  }),
  indirect_exposure: ({ value, row }) => ({
    ...coins(`${shown(value)} in funds or trusts of coins is not counted`),
    ...moreCoins(row, value),
  }),
  coins_in_lines: ({ value }) => coins(`coins are read from lines of another name: ${value}`),
  unit_price_mismatch: () => coins('units filed and the value of the coins do not fit the close of that day'),
  unit_scale_corrected: ({ value }) => coins(`units are filed in another scale, corrected by ${value}`),
  units_partial: () => coins('the units filed explain a part of the coins only'),
  price_conflict: ({ value, parameters }) =>
    coins(`two sources of the ${value} close differ by more than ${parameters.priceConflict * 100} %`),
  close_refused: ({ value }) =>
    coins(`the close ${value.replace(':', ' of ')} is not plausible and not used`),
  close_missing: ({ value }) => coins(`no source gives the close ${value.replace(':', ' of ')}`),
  tier_at_most: ({ value }) => ({
    figure: 'tier',
    finding: `coins are at cost, which proves LOW alone; the tier is ${value} at most`,
    isProof: true,
  }),
  equity_not_reported: () => ({
    figure: 'tier',
    finding: 'equity is not filed, so that the notch for equity below zero cannot be tested',
  }),
  companyfacts_contradicted: ({ value }) => ({
    figure: 'tier',
    finding: `instance and companyfacts contradict each other in ${value} facts`,
  }),
  unknown_coin_concept: ({ value }) =>
    coins(`${value} is an element of a newer taxonomy, which is in no figure`),
  filing_unusable: ({ value }) => ({
    figure: 'tier',
    finding: `the ${value} of the filing is at hand and cannot be used`,
  }),
  filing_incomplete: ({ value }) => ({
    figure: 'tier',
    finding: `the filing names a ${value} that is not at hand`,
  }),
  newer_filing_pending: ({ value }) => ({
    figure: 'tier',
    finding: `the figures of a newer filing are not published yet, and an older one stands in: ${value}`,
  }),
  newer_filing_unusable: ({ value }) => ({
    figure: 'tier',
    finding: `the figures of a newer filing cannot be used, and an older one stands in: ${value}`,
  }),
  input_kept: ({ value }) => ({
    figure: 'tier',
    finding: `an input was missing or could not be read, and rows of an earlier night stand in: ${value}`,
  }),
  figures_lower_bound: ({ value, row }) => {
    const isDebt = value === 'debt';
    const total = row.trail?.ratio.children[isDebt ? 0 : 1];
    const why = total?.rungs.findLast(({ taken }) => !taken)?.reason;
    const words = `${isDebt ? 'debt' : 'coins'} of ${grouped(isDebt ? row.debt : row.crypto)} is a lower bound`;
    return {
      ...(isDebt ? debt : coins)(why === undefined ? words : `${words}: ${why}`),
      isProof: true,
      isRest: true,
    };
  },
};

/** Notes of a row that question no figure: what was measured, where it comes from, what the model leaves out. */
export const quietNotes: readonly string[] = [
  'accession_placeholder',
  'acceptance_estimated',
  'cash_not_reported',
  'coins_gap',
  'coins_incidental',
  'coins_not_split',
  'companyfacts_behind',
  'debt_since_period',
  'dominant_asset',
  'exhibit_contradicts_body',
  'exhibit_missing',
  'face_order',
  'filing_age',
  'filing_date_statutory',
  'financial_institution',
  'gate_history_short',
  'includes_restricted_cash',
  'live_equals_filing',
  'live_overlay_on_cost_refused',
  'member_line',
  'mezzanine_equity_present',
  'mix_assumed',
  'negative_equity_nondebt',
  'newer_report_due',
  'no_crypto',
  'no_crypto_denominator',
  'outside_asu_2023_08',
  'own_z_partial',
  'price_mismatch',
  'regime_unavailable',
  'relevance_unknown',
  'reporting_currency',
  'related_party_line',
  'reporting_ended',
  'stress_saturated',
  // reported by `figures_lower_bound`
  'stress_untrusted',
  'tail_understated',
  'ticker_is_cik',
  'tier_same_at_cost_and_value',
  'unit_of_measure',
  'units_none',
  'units_quarantined',
  'units_scope_unknown',
  'units_stale',
  'units_stated',
  'unreadable_exhibit',
  'unranked',
  'z_universe_small',
];

/** The notes that raise a doubt. */
export const doubtingNotes: readonly string[] = Object.keys(doubting);

/** Notes about a close, the same for every row that would have read it; nothing to a row that proves to have no coins. */
export const closeNotes: readonly string[] = ['close_missing', 'close_refused'];

/** What the notes of a row question, in the order of the notes. */
export function noteDoubts(row: ReviewedRow, parameters: Parameters): RaisedDoubt[] {
  return row.notes.flatMap((note) => {
    const colon = note.indexOf(':');
    const [kind, value] = colon < 0 ? [note, ''] : [note.slice(0, colon), note.slice(colon + 1)];
    if (closeNotes.includes(kind) && hasNoCoins(row)) return [];
    const reading = Object.hasOwn(doubting, kind) ? doubting[kind] : undefined;
    return reading === undefined ? [] : [{ kind, ...reading({ value, row, parameters }) }];
  });
}

function debt(finding: string) {
  return { figure: 'debt' as const, finding };
}

function coins(finding: string) {
  return { figure: 'coins' as const, finding };
}

function more(row: ReviewedRow, value: string): Pick<RaisedDoubt, 'other'> {
  const amount = amountOf(value);
  return amount === null ? {} : { other: { debt: row.debt.plus(amount) } };
}

function moreCoins(row: ReviewedRow, value: string): Pick<RaisedDoubt, 'other'> {
  const amount = amountOf(value);
  return amount === null ? {} : { other: { crypto: row.crypto.plus(amount) } };
}

function hasNoCoins({ crypto, basis }: ReviewedRow): boolean {
  return crypto.sign === 0 && (basis === 'resolved' || basis === 'debt_unproven');
}

function isDebtOpen({ basis }: ReviewedRow): boolean {
  return basis === 'debt_unproven' || basis === 'both_unproven';
}

function pair(value: string): [string, string] {
  const [a = '', b = ''] = value.split('/');
  return [a, b];
}

function amountOf(text: string): ExactDecimal | null {
  return ExactDecimal.tryParse(text);
}

function shown(text: string): string {
  const amount = amountOf(text);
  return amount === null ? text : grouped(amount);
}

function percent(text: string): string {
  const rate = amountOf(text);
  return rate === null ? text : `${rate.times(new ExactDecimal(100n, 0)).rounded(1)} %`;
}
