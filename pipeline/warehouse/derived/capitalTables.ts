import type { CapitalPayload } from '../../../data/contract/payloads/issuer/capital.ts';
import type { CapitalFigure } from '../../../data/contract/payloads/issuer/capitalParts.ts';
import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { isCivilDate } from '../../../data/contract/values/primitives.ts';
import type { Cell } from '../build/insertRows.ts';

/** One table behind a capital view: its columns after the key, and the rows of one issuer. */
export type CapitalTable = {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rowsOf: (row: CapitalPayload) => readonly (readonly Cell[])[];
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

/**
 * A table of plain columns, figures and the status of each.
 *
 * @param plain columns whose cells come first in `rows`
 * @param figures columns of figures with their types
 */
function figureTable<const Name extends string>({
  table,
  plain,
  figures,
  rows,
}: {
  table: string;
  plain: readonly string[];
  figures: Readonly<Record<Name, string>>;
  rows: (row: CapitalPayload) => readonly {
    readonly cells: readonly Cell[];
    readonly figures: Readonly<Record<NoInfer<Name>, CapitalFigure>>;
    readonly notes: readonly string[];
  }[];
}): CapitalTable {
  const names = Object.entries(figures) as [Name, string][];
  return {
    table,
    columns: [...plain, ...Object.keys(figures), 'statuses', 'notes'],
    rowsOf: (row) =>
      rows(row).map(({ cells, figures: own, notes }) => [
        ...cells,
        ...names.map(([name, type]) => (writing[type] ?? text)(own[name]?.value ?? null)),
        JSON.stringify(Object.fromEntries(names.map(([name]) => [name, statusOf(own[name])]))),
        [...notes],
      ]),
  };
}

const instruments = figureTable({
  table: 'instrument_row',
  plain: [
    'instrument_id',
    'name',
    'kind',
    'state',
    'as_of',
    'rank',
    'rank_basis',
    'secured_by',
    'currency',
    'principal_basis',
    'coupon_kind',
    'maturity_basis',
    'facility_id',
    'terms_accession',
  ],
  figures: {
    ...{ principal: money, carrying_amount: money, unamortized_cost: money },
    ...{ coupon_rate: 'DOUBLE', effective_rate: 'DOUBLE' },
    ...{
      issue_date: 'DATE',
      maturity_date: 'DATE',
      springing_maturity_date: 'DATE',
      put_date: 'DATE',
      call_date: 'DATE',
    },
    ...{ conversion_price: 'DOUBLE', conversion_shares: money },
    ...{ fair_value: money, pledged_units: coins, pledged_value: money },
  },
  rows: (row) =>
    row.instruments.map((one) => ({
      cells: [
        ...[
          one.id,
          one.name,
          one.kind,
          one.state,
          one.as_of,
          one.rank,
          one.rank_basis,
          one.secured_by,
          one.currency,
        ],
        ...[one.principal?.basis ?? null, one.coupon_kind, one.maturity_date?.basis ?? null],
        ...[one.facility_id, one.terms_accession],
      ],
      figures: one,
      notes: one.notes,
    })),
});

const maturities: CapitalTable = {
  table: 'maturity_row',
  columns: [
    'mark',
    'bucket',
    'due_from',
    'due_to',
    'amount',
    'instrument_id',
    'is_on_wall',
    'status',
    'basis',
    'total',
    'coverage_of_debt',
    'notes',
  ],
  rowsOf: ({ maturities: { buckets, wall, status, basis, total, coverage_of_debt: coverage, notes } }) => {
    const hasBuckets = wall.some(({ kind }) => kind === 'bucket');
    const whole = (of: Cell): Cell[] => [of, basis, amount(total), coverage, [...notes]];
    return [
      ...buckets.map(({ id, start, end, amount: due, instrument_id: of }): Cell[] => [
        ...['bucket', id, start, end, amount(due), of, hasBuckets],
        ...whole(status),
      ]),
      ...wall
        .filter(({ kind }) => kind !== 'bucket')
        .map(({ kind, date, amount: due, instrument_id: of }): Cell[] => [
          ...[kind, null, date, date, amount(due), of, true],
          ...whole(null),
        ]),
    ];
  },
};

const preferred = figureTable({
  table: 'preferred_row',
  plain: ['class', 'name', 'kind', 'claim_basis', 'dividends_declared_months'],
  figures: {
    ...{
      shares: money,
      carrying_amount: money,
      claim: money,
      dividend_rate: 'DOUBLE',
      annual_dividend: money,
    },
    ...{ dividends_declared: money, arrears: money },
  },
  rows: (row) =>
    row.preferred.map((one) => ({
      cells: [one.class, one.name, one.kind, one.claim?.basis ?? null, one.dividends_declared_months],
      figures: one,
      notes: one.notes,
    })),
});

const shares = figureTable({
  table: 'share_row',
  plain: ['as_of', 'cover_date', 'warrants', 'classes'],
  figures: {
    ...{ outstanding: money, cover: money, prefunded: money, options: money, option_price: 'DOUBLE' },
    ...{
      restricted_units: money,
      convertible_shares: money,
      basic_plus_prefunded: money,
      fully_diluted: money,
    },
  },
  rows: ({ shares: one }) => {
    const { as_of: asOf, cover_date: coverDate, by_class, warrants, splits } = one;
    return [
      {
        cells: [asOf, coverDate, warrantSum(warrants), plainJson({ by_class, warrants, splits })],
        figures: one,
        notes: one.notes,
      },
    ];
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
  columns: [
    'lens',
    'shock',
    'pool',
    'class',
    'rank',
    'claim',
    'paid',
    'recovery',
    'common_residual',
    'common_per_share',
    'is_lower_bound',
    'notes',
  ],
  rowsOf: (row) =>
    row.claims.flatMap((one) =>
      one.lines.map((line): Cell[] => [
        ...[
          one.lens,
          one.shock,
          amount(one.pool),
          line.class,
          line.rank,
          amount(line.claim),
          amount(line.paid),
        ],
        ...[line.recovery, amount(one.common_residual), double(one.common_per_share), one.is_lower_bound],
        [...one.notes],
      ]),
    ),
};

const nav = figureTable({
  table: 'nav_row',
  plain: ['basis', 'asset', 'close_date', 'count_date', 'is_above_index_threshold'],
  figures: {
    ...{
      units: coins,
      coins_per_share: 'DOUBLE',
      coins_per_share_prefunded: 'DOUBLE',
      coins_per_share_diluted: 'DOUBLE',
    },
    ...{ gross: money, net_of_debt: money, net_of_claims: money, per_share: 'DOUBLE' },
    ...{ mnav_gross: 'DOUBLE', mnav_enterprise: 'DOUBLE', mnav_net: 'DOUBLE', mnav_diluted: 'DOUBLE' },
    digital_asset_share: 'DOUBLE',
  },
  rows: (row) =>
    row.nav.flatMap((one) => {
      const assets = one.coins_per_share.length === 0 ? [null] : one.coins_per_share;
      return assets.map((of) => ({
        cells: [one.basis, of?.asset ?? null, one.close_date, one.count_date, one.is_above_index_threshold],
        figures: {
          ...one,
          units: of?.units ?? null,
          coins_per_share: of?.per_share ?? null,
          coins_per_share_prefunded: of?.per_share_prefunded ?? null,
          coins_per_share_diluted: of?.per_share_diluted ?? null,
        },
        notes: one.notes,
      }));
    }),
});

const runway = figureTable({
  table: 'runway_row',
  plain: ['as_of', 'period_end'],
  figures: {
    ...{ cash: money, restricted_cash: money, monthly_operating_cash: money },
    ...{ monthly_operating_cash_without_coins: money, coin_sale_proceeds: money, annual_interest: money },
    ...{ interest_paid: money, annual_preferred_dividends: money, due_12m: money, due_24m: money },
    ...{ due_24m_if_put: money, months_of_cash: 'DOUBLE', months_after_dividends: 'DOUBLE' },
    ...{
      first_shortfall_month: 'VARCHAR',
      shortfall_12m: money,
      free_coin_value: money,
      share_of_free_coins: 'DOUBLE',
    },
  },
  rows: ({ runway: one }) => [{ cells: [one.as_of, one.period_end], figures: one, notes: one.notes }],
});

const flowKinds = ['bought', 'mined', 'received', 'sold', 'paid', 'transferred', 'gain', 'other'] as const;
type Flow = CapitalPayload['coin_flows'][number];

const coinFlows = figureTable({
  table: 'coin_flow_row',
  plain: [
    'asset',
    'measure',
    'flow_start',
    'flow_end',
    'opening',
    ...flowKinds,
    'closing',
    'residual',
    'status',
  ],
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
        cells: flowCells(flow),
        figures: stocks.find(({ asset }) => asset === flow.asset) ?? nothing,
        notes: flow.notes,
      })),
      ...without.map((stock) => ({
        cells: [stock.asset, ...Array<null>(flowKinds.length + 7).fill(null)],
        figures: stock,
        notes: [],
      })),
    ];
  },
});

function flowCells({ asset, measure, start, end, opening, rows, closing, residual, status }: Flow): Cell[] {
  const sumOf = (kind: string): Cell => {
    const own = rows.filter((row) => row.kind === kind);
    if (own.length === 0) return null;
    const sum = own.reduce(
      (total, row) => total.plus(ExactDecimal.parse(row.amount.toString())),
      ExactDecimal.zero,
    );
    return amount(sum);
  };
  const last = [amount(closing), amount(residual), status];
  return [asset, measure, start, end, amount(opening), ...flowKinds.map(sumOf), ...last];
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
