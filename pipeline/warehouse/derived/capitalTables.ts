import type { CapitalPayload } from '../../../data/contract/payloads/issuer/capital.ts';
import type { CapitalFigure } from '../../../data/contract/payloads/issuer/capitalParts.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { isCivilDate } from '../../../data/contract/values/primitives.ts';
import type { Cell } from '../build/insertRows.ts';

/** One table behind a capital view, and the rows of one issuer without their key. */
export type CapitalTable = {
  readonly table: string;
  readonly rowsOf: (row: CapitalPayload) => readonly Readonly<Record<string, unknown>>[];
};

const money = 'DECIMAL(38,6)';
const coins = 'DECIMAL(38,9)';

type Amount = ExactDecimal | number | null;

/** An absurd amount stays in the payload; the typed column is null rather than the end of the night. */
function amount(value: Amount | string): Cell {
  return value === null || Math.abs(Number(value)) >= 1e28 || Number.isNaN(Number(value))
    ? null
    : value.toString();
}

function double(value: Amount | string): Cell {
  const number = value === null ? Number.NaN : Number(value.toString());
  return Number.isFinite(number) ? number : null;
}

/** A day; a month that was filed without its day is none. */
function day(value: Amount | string): Cell {
  return typeof value === 'string' && isCivilDate(value) ? value : null;
}

function text(value: Amount | string): Cell {
  return value === null ? null : value.toString();
}

type Written = (value: Amount | string) => Cell;
const writing: Readonly<Record<string, Written>> = {
  [money]: amount,
  [coins]: amount,
  DOUBLE: double,
  DATE: day,
  VARCHAR: text,
};

/** How a figure is proven, or why it is null; one that is null as a whole is not filed. */
function statusOf(figure: CapitalFigure): string {
  return figure?.status ?? figure?.null_reason ?? 'not_filed';
}

/** A table of plain columns, figures with their types, and the status of each figure. */
function figureTable<const Name extends string>({ table, figures, rows }: FigureTable<Name>): CapitalTable {
  const names = Object.entries(figures) as [Name, string][];
  return {
    table,
    rowsOf: (row) =>
      rows(row).map((one) => ({
        ...one,
        ...Object.fromEntries(
          names.map(([name, type]) => [name, (writing[type] ?? text)(one[name]?.value ?? null)]),
        ),
        statuses: JSON.stringify(Object.fromEntries(names.map(([name]) => [name, statusOf(one[name])]))),
      })),
  };
}

type FigureTable<Name extends string> = {
  readonly table: string;
  readonly figures: Readonly<Record<Name, string>>;
  /** Plain members under the names of their columns. */
  readonly rows: (row: CapitalPayload) => readonly Readonly<Record<NoInfer<Name>, CapitalFigure>>[];
};

const instruments = figureTable({
  table: 'instrument_row',
  figures: {
    ...{ principal: money, carrying_amount: money, unamortized_cost: money },
    ...{ coupon_rate: 'DOUBLE', effective_rate: 'DOUBLE', issue_date: 'DATE', maturity_date: 'DATE' },
    ...{ springing_maturity_date: 'DATE', put_date: 'DATE', call_date: 'DATE' },
    ...{ conversion_price: 'DOUBLE', conversion_shares: money },
    ...{ fair_value: money, pledged_units: coins, pledged_value: money },
  },
  rows: (row) =>
    row.instruments.map((one) => ({
      ...{ ...one, instrument_id: one.id },
      ...{ principal_basis: one.principal?.basis ?? null, maturity_basis: one.maturity_date?.basis ?? null },
    })),
});

const maturities: CapitalTable = {
  table: 'maturity_row',
  rowsOf: ({ maturities: { buckets, wall, status, basis, total, coverage_of_debt, notes } }) => {
    const hasBuckets = wall.some(({ kind }) => kind === 'bucket');
    const whole = { basis, total: amount(total), coverage_of_debt, notes };
    return [
      ...buckets.map(({ id, start, end, amount: due, instrument_id }) => ({
        ...{ mark: 'bucket', bucket: id, due_from: start, due_to: end, amount: amount(due), instrument_id },
        ...{ is_on_wall: hasBuckets, status, ...whole },
      })),
      ...wall
        .filter(({ kind }) => kind !== 'bucket')
        .map(({ kind, date, amount: due, instrument_id }) => ({
          ...{ mark: kind, due_from: date, due_to: date, amount: amount(due), instrument_id },
          ...{ is_on_wall: true, ...whole },
        })),
    ];
  },
};

const preferred = figureTable({
  table: 'preferred_row',
  figures: {
    ...{ shares: money, carrying_amount: money, claim: money, dividend_rate: 'DOUBLE' },
    ...{ annual_dividend: money, dividends_declared: money, arrears: money },
  },
  rows: (row) => row.preferred.map((one) => ({ ...one, claim_basis: one.claim?.basis ?? null })),
});

const shares = figureTable({
  table: 'share_row',
  figures: {
    ...{ outstanding: money, cover: money, prefunded: money, options: money, option_price: 'DOUBLE' },
    ...{ restricted_units: money, convertible_shares: money, basic_plus_prefunded: money },
    fully_diluted: money,
  },
  rows: ({ shares: one }) => {
    const { by_class, warrants, splits } = one;
    const classes = plainJson({ by_class, warrants, splits });
    return [{ ...one, warrants: warrantSum(warrants), classes }];
  },
});

/** Shares of the warrants that are not prefunded; null where a class has no count. */
function warrantSum(warrants: CapitalPayload['shares']['warrants']): Cell {
  let sum = ExactDecimal.zero;
  for (const { count, is_prefunded: isPrefunded } of warrants) {
    if (isPrefunded) continue;
    const value = count?.value ?? null;
    if (value === null) return null;
    sum = sum.plus(ExactDecimal.parse(value.toString()));
  }
  return warrants.length === 0 ? null : amount(sum);
}

/** JSON of figures without the places of their facts. */
function plainJson(value: object): string {
  return JSON.stringify(value, (name, inner: unknown) =>
    name === 'facts' ? undefined : inner instanceof ExactDecimal ? inner.toNumber() : inner,
  );
}

const claims: CapitalTable = {
  table: 'claim_row',
  rowsOf: (row) =>
    row.claims.flatMap((one) =>
      one.lines.map((line) => ({
        ...{ ...one, ...line, pool: amount(one.pool), claim: amount(line.claim), paid: amount(line.paid) },
        ...{ common_residual: amount(one.common_residual), common_per_share: double(one.common_per_share) },
      })),
    ),
};

const nav = figureTable({
  table: 'nav_row',
  figures: {
    ...{ units: coins, coins_per_share: 'DOUBLE', coins_per_share_prefunded: 'DOUBLE' },
    ...{ coins_per_share_diluted: 'DOUBLE', gross: money, net_of_debt: money, net_of_claims: money },
    ...{ per_share: 'DOUBLE', mnav_gross: 'DOUBLE', mnav_enterprise: 'DOUBLE', mnav_net: 'DOUBLE' },
    ...{ mnav_diluted: 'DOUBLE', digital_asset_share: 'DOUBLE' },
  },
  rows: (row) =>
    row.nav.flatMap((one) => {
      const assets = one.coins_per_share.length === 0 ? [null] : one.coins_per_share;
      return assets.map((of) => ({
        ...{ ...one, asset: of?.asset ?? null, units: of?.units ?? null },
        coins_per_share: of?.per_share ?? null,
        coins_per_share_prefunded: of?.per_share_prefunded ?? null,
        coins_per_share_diluted: of?.per_share_diluted ?? null,
      }));
    }),
});

const runway = figureTable({
  table: 'runway_row',
  figures: {
    ...{ cash: money, restricted_cash: money, monthly_operating_cash: money },
    ...{ monthly_operating_cash_without_coins: money, coin_sale_proceeds: money, annual_interest: money },
    ...{ interest_paid: money, annual_preferred_dividends: money, due_12m: money, due_24m: money },
    ...{ due_24m_if_put: money, months_of_cash: 'DOUBLE', months_after_dividends: 'DOUBLE' },
    ...{ first_shortfall_month: 'VARCHAR', shortfall_12m: money, free_coin_value: money },
    share_of_free_coins: 'DOUBLE',
  },
  rows: ({ runway: one }) => [one],
});

const flowKinds = ['bought', 'mined', 'received', 'sold', 'paid', 'transferred', 'gain', 'other'] as const;
type Flow = CapitalPayload['coin_flows'][number];

const coinFlows = figureTable({
  table: 'coin_flow_row',
  figures: {
    ...{ units: coins, cost_basis: money, unrealised_gain: money, average_cost: money },
    ...{ pledged: coins, restricted: coins, staked: coins, free: coins },
  },
  rows: ({ coin_flows: flows, coin_stocks: stocks }) => {
    const none = { units: null, cost_basis: null, unrealised_gain: null, average_cost: null };
    const nothing = { ...none, pledged: null, restricted: null, staked: null, free: null };
    const without = stocks.filter(({ asset }) => !flows.some((flow) => flow.asset === asset));
    return [
      ...flows.map((flow) => ({
        ...(stocks.find(({ asset }) => asset === flow.asset) ?? nothing),
        ...flowCells(flow),
      })),
      ...without.map((stock) => ({ ...stock, notes: [] })),
    ];
  },
});

function flowCells({ start, end, opening, rows, closing, residual, ...flow }: Flow) {
  const sumOf = (kind: string): Cell => {
    const own = rows.filter((row) => row.kind === kind);
    if (own.length === 0) return null;
    const sum = own.reduce(
      (total, row) => total.plus(ExactDecimal.parse(row.amount.toString())),
      ExactDecimal.zero,
    );
    return amount(sum);
  };
  return {
    ...{ ...flow, flow_start: start, flow_end: end },
    ...{ opening: amount(opening), closing: amount(closing), residual: amount(residual) },
    ...Object.fromEntries(flowKinds.map((kind) => [kind, sumOf(kind)])),
  };
}

/** The tables of the capital views, in their order. */
export const capitalTableList: readonly CapitalTable[] = [
  instruments,
  maturities,
  preferred,
  shares,
  claims,
  nav,
  runway,
  coinFlows,
];
