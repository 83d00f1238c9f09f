import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { grouped } from '../../calculators/exact/decimals.ts';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { absenceWords, proofWords, reasonWords } from '../../data/contract/meanings/capitalWords.ts';
import { type CapitalPayload, capital as payload } from '../../data/contract/payloads/issuer/capital.ts';
import type { CapitalFigure } from '../../data/contract/payloads/issuer/capitalParts.ts';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { accessionText } from '../../data/contract/values/filingUrl.ts';
import { readRows } from '../warehouse/build/readRows.ts';
import type { IssuerLabel, StoredRow } from './findRow.ts';
import { parseExactJson, plain } from './trailSchema.ts';
import { type Branch, leaf, treeText } from './treeText.ts';

/** What a stored capital structure does not say of how it was found. */
type CapitalTrailText = {
  readonly joined: readonly {
    readonly id: string;
    readonly members: readonly string[];
    readonly joins: readonly string[];
  }[];
  readonly refused: readonly { readonly members: readonly string[]; readonly reason: string }[];
};

/**
 * Prints the capital structure as a tree (M18.87): instruments with the candidates of their figures, joined and refused
 * groups, each identity with its residual, then dues, claims, shares, cash and coins, every figure with its status and facts.
 */
export function capitalTree(row: CapitalPayload, trail: CapitalTrailText): string {
  const { absent, notes } = row;
  const text = `capital structure at ${row.period}; information only, no ratio depends on it (M18.1)`;
  if (absent !== null) return treeText({ text, below: [leaf(reasonWords(absent))] });
  return treeText({
    text,
    below: [
      instrumentsBranch(row, trail),
      maturitiesBranch(row),
      preferredBranch(row),
      sharesBranch(row),
      claimsBranch(row),
      navBranch(row),
      runwayBranch(row),
      coinsBranch(row),
      ...(trail.refused.length === 0 ? [] : [refusedBranch(trail)]),
      ...notes.map((note) => leaf(`note: ${note}`)),
    ],
  });
}

type Row = CapitalPayload;

function instrumentsBranch(row: Row, { joined }: CapitalTrailText): Branch {
  const { instruments, stack, instruments_absent: absent } = row;
  const count = (of: string) => instruments.filter(({ state }) => state === of).length;
  const proven = instruments.filter(
    ({ state, principal }) => state === 'outstanding' && principal?.status === 'proven',
  );
  const text =
    absent === null
      ? `instruments: ${instruments.length} found, ${count('outstanding')} outstanding, the principal of ${proven.length} proven`
      : `instruments: ${absenceWords(absent)}`;
  const difference =
    stack.difference === null ? '' : `; debt less their carrying amounts ${amount(stack.difference)}`;
  return {
    text,
    below: [
      ...instruments.map((one) =>
        instrumentBranch(
          one,
          row,
          joined.find(({ id }) => id === one.id),
        ),
      ),
      leaf(`stack: ${stack.status.replaceAll('_', ' ')}${difference}`),
    ],
  };
}

function instrumentBranch(
  one: Row['instruments'][number],
  row: Row,
  join: CapitalTrailText['joined'][number] | undefined,
): Branch {
  const figures: [string, CapitalFigure][] = [
    ['principal', one.principal],
    ['carrying amount', one.carrying_amount],
    ['unamortized cost', one.unamortized_cost],
    [`coupon${one.coupon_kind === null ? '' : `, ${one.coupon_kind.replaceAll('_', ' ')}`}`, one.coupon_rate],
    ['issued', one.issue_date],
    ['due', one.maturity_date],
    ['springing date', one.springing_maturity_date],
    ['put date', one.put_date],
    ['call date', one.call_date],
    ['conversion price', one.conversion_price],
    ['conversion shares', one.conversion_shares],
    ['fair value', one.fair_value],
    ['coins pledged', one.pledged_units],
  ];
  const always = new Set(['principal', 'carrying amount', 'due']);
  return {
    text: `${one.name}: ${one.kind.replaceAll('_', ' ')}, ${one.state.replaceAll('_', ' ')}, ${one.rank.replaceAll('_', ' ')} (${one.rank_basis}); ${one.id}`,
    below: [
      ...figures
        .filter(([name, figure]) => figure !== null || always.has(name))
        .map(([name, figure]) => figureBranch(name, figure, row)),
      ...identityOf(one),
      ...(join === undefined
        ? []
        : [leaf(`joined by ${join.joins.join(', ') || 'name'}: ${join.members.join(' + ')}`)]),
      ...(one.terms_accession === null ? [] : [leaf(`terms of ${one.terms_accession}`)]),
      ...one.notes.map((note) => leaf(`note: ${note}`)),
    ],
  };
}

/** principal = carrying amount + unamortized cost, with what is left over. */
function identityOf({
  principal,
  carrying_amount: carrying,
  unamortized_cost: cost,
}: Row['instruments'][number]): Branch[] {
  const [whole, net, spread] = [exactOf(principal), exactOf(carrying), exactOf(cost)];
  if (whole === null || net === null || spread === null) return [];
  const residual = whole.minus(net).minus(spread);
  return [leaf(`identity: principal − carrying amount − unamortized cost = ${grouped(residual)}`)];
}

function maturitiesBranch({ maturities: of, instruments }: Row): Branch {
  const { buckets, wall, status, reason, total, coverage_of_debt: coverage } = of;
  const named = (id: string | null) =>
    id === null ? '' : `, ${instruments.find((one) => one.id === id)?.name ?? id}`;
  const held = coverage === null ? '' : `, ${percent(coverage)} of the debt`;
  const said =
    status === null
      ? reasonWords(reason ?? 'not_filed')
      : `${status === 'stated' ? 'stated by one tag' : status.replaceAll('_', ' ')}${held}`;
  const sum = buckets.reduce(
    (all, bucket) => all.plus(ExactDecimal.parse(bucket.amount.toString())),
    ExactDecimal.zero,
  );
  return {
    text: `maturities: ${said}`,
    below: [
      ...buckets.map((one) =>
        leaf(
          `${one.id} ${one.start} to ${one.end ?? 'the end'}: ${amount(one.amount)}${named(one.instrument_id)}`,
        ),
      ),
      ...(total === null || buckets.length === 0
        ? []
        : [leaf(`identity: total − buckets = ${grouped(ExactDecimal.parse(total.toString()).minus(sum))}`)]),
      ...wall
        .filter(({ kind }) => kind !== 'bucket')
        .map((mark) => leaf(`${mark.kind} ${mark.date}: ${amount(mark.amount)}${named(mark.instrument_id)}`)),
      ...of.notes.map((note) => leaf(`note: ${note}`)),
    ],
  };
}

function preferredBranch(row: Row): Branch {
  const { preferred } = row;
  return {
    text:
      preferred.length === 0
        ? 'preferred stock: not filed as a fact'
        : `preferred stock: ${preferred.length} ${preferred.length === 1 ? 'class' : 'classes'}`,
    below: preferred.map((one) => ({
      text: `${one.name}; ${one.class}`,
      below: [
        figureBranch('shares', one.shares, row),
        figureBranch('claim', one.claim, row),
        figureBranch('annual dividend', one.annual_dividend, row),
        ...one.notes.map((note) => leaf(`note: ${note}`)),
      ],
    })),
  };
}

function sharesBranch(row: Row): Branch {
  const { shares } = row;
  return {
    text: `shares at ${shares.as_of}`,
    below: [
      figureBranch('outstanding', shares.outstanding, row),
      figureBranch(
        `on the cover${shares.cover_date === null ? '' : ` at ${shares.cover_date}`}`,
        shares.cover,
        row,
      ),
      figureBranch('options', shares.options, row),
      figureBranch('restricted units', shares.restricted_units, row),
      ...shares.warrants.map((one) => figureBranch(`warrants ${one.id}`, one.count, row)),
      figureBranch('of converts', shares.convertible_shares, row),
      figureBranch('fully diluted', shares.fully_diluted, row),
      ...shares.splits.map((split) => leaf(`split of ${split.date}: ${split.ratio} for 1 (${split.source})`)),
      ...shares.notes.map((note) => leaf(`note: ${note}`)),
    ],
  };
}

function claimsBranch({ claims }: Row): Branch {
  return {
    text: claims.length === 0 ? 'claims: not computed' : 'claims: book values, no costs, no order by court',
    below: claims.map((one) => ({
      text: `${one.lens.replaceAll('_', ' ')}, −${percent(one.shock)}: ${amount(one.pool)} to pay from${one.is_lower_bound ? ', a lower bound' : ''}`,
      below: [
        ...one.lines.map((line) =>
          leaf(
            `${line.class.replaceAll('_', ' ')}${line.rank === null ? ', outside the pool' : `, rank ${line.rank}`}: claim ${amount(line.claim)}` +
              `${line.paid === null ? '' : `, paid ${amount(line.paid)}`}${line.recovery === null ? '' : `, recovery ${line.recovery}`}`,
          ),
        ),
        ...one.notes.map((note) => leaf(`note: ${note}`)),
      ],
    })),
  };
}

function navBranch(row: Row): Branch {
  return {
    text: 'what a share holds',
    below: row.nav.map((one) => ({
      text: `${one.basis} coins`,
      below: [
        ...one.coins_per_share.map((of) => figureBranch(`${of.asset} a share`, of.per_share, row)),
        figureBranch('net asset value', one.net_of_claims, row),
        figureBranch(
          `mNAV${one.close_date === null ? '' : ` at the close of ${one.close_date}`}`,
          one.mnav_net,
          row,
        ),
        ...one.notes.map((note) => leaf(`note: ${note}`)),
      ],
    })),
  };
}

function runwayBranch(row: Row): Branch {
  const { runway: one } = row;
  return {
    text: `cash from ${one.as_of}: no refinancing and no sale of equity assumed; not a forecast`,
    below: [
      figureBranch(`cash at ${one.period_end}`, one.cash, row),
      figureBranch('operating cash a month', one.monthly_operating_cash, row),
      figureBranch('due within 12 months', one.due_12m, row),
      figureBranch('months of cash', one.months_of_cash, row),
      figureBranch('first month short', one.first_shortfall_month, row),
      figureBranch('cash less what 12 months ask for', one.shortfall_12m, row),
      ...one.notes.map((note) => leaf(`note: ${note}`)),
    ],
  };
}

function coinsBranch(row: Row): Branch {
  return {
    text: 'coins from stock to stock',
    below: [
      ...row.coin_flows.map((flow) => ({
        text: `${flow.asset}, ${flow.measure}, ${flow.start} to ${flow.end}: ${flow.status}; identity: opening ${amount(flow.opening)} + rows = closing ${amount(flow.closing)}, residual ${amount(flow.residual)}`,
        below: [
          ...flow.rows.map(({ kind, amount: moved, fact }) =>
            leaf(`${kind} ${amount(moved)}; ${factWords(row, fact)}`),
          ),
          ...flow.notes.map((note) => leaf(`note: ${note}`)),
        ],
      })),
      ...row.coin_stocks.map((stock) => ({
        text: `${stock.asset} at ${row.period}`,
        below: [
          figureBranch('held', stock.units, row),
          figureBranch('cost', stock.cost_basis, row),
          figureBranch('pledged', stock.pledged, row),
          figureBranch('free', stock.free, row),
        ],
      })),
    ],
  };
}

function refusedBranch({ refused }: CapitalTrailText): Branch {
  return {
    text: `groups of facts that are no instrument: ${refused.length}`,
    below: refused.map(({ members, reason }) => leaf(`${members.join(' + ')}: ${reason}`)),
  };
}

function figureBranch(name: string, figure: CapitalFigure, row: Row): Branch {
  const proof = proofWords(figure);
  const facts = (figure?.facts ?? []).map((place) => leaf(factWords(row, place)));
  if (figure === null || figure.value === null) return { text: `${name}: ${proof}`, below: facts };
  const { value, basis = '' } = figure;
  const shown = typeof value === 'string' ? value : amount(value);
  return {
    text: `${name} ${shown}, ${proof}${basis === '' ? '' : ` (${basis.replaceAll('_', ' ')})`}`,
    below: facts,
  };
}

function factWords({ facts, members, period, currency }: Row, place: number): string {
  const fact = facts[place];
  if (fact === undefined) return `fact ${place}`;
  const number = ExactDecimal.tryParse(fact.value);
  const shown = number === null ? fact.value : grouped(number);
  const { date = period } = fact;
  const when = fact.start === undefined ? `at ${date}` : `${fact.start} to ${date}`;
  const unit = fact.unit ?? (number === null ? null : currency);
  const carried = (fact.members ?? []).flatMap((one) => members[one] ?? []);
  return [`${fact.concept} ${shown}${unit === null ? '' : ` ${unit}`} ${when}`, ...carried].join(', ');
}

function exactOf(figure: CapitalFigure): ExactDecimal | null {
  const value = figure?.value ?? null;
  return value === null || typeof value === 'string' ? null : ExactDecimal.parse(value.toString());
}

function amount(value: ExactDecimal | number): string {
  return grouped(ExactDecimal.parse(value.toString()));
}

function percent(ratio: number): string {
  return `${Number((ratio * 100).toFixed(1))} %`;
}

const trailSchema = z.object({
  joined: z.array(z.object({ id: z.string(), members: z.array(z.string()), joins: z.array(z.string()) })),
  refused: z.array(z.object({ members: z.array(z.string()), reason: z.string() })),
});

/**
 * The capital structure of a row as a tree, or as one line of canonical JSON (M18.87).
 *
 * @throws IssuerError `input_missing` where the night stored none: a past date, or one that could not be made
 */
export async function explainCapital(
  connection: DuckDBConnection,
  {
    issuer,
    row,
    format,
  }: { readonly issuer: IssuerLabel; readonly row: StoredRow; readonly format: 'text' | 'json' },
): Promise<string> {
  const named = issuer.ticker ?? issuer.cik;
  const [stored] = await readRows<{ payload: string; trail: string }>(
    connection,
    `SELECT payload, trail FROM internal.capital_row
    WHERE source_date = $date::DATE AND method_version = $version AND cik = $cik`,
    { date: row.sourceDate, version: row.methodVersion, cik: issuer.cik },
  );
  const read = stored === undefined ? null : payload.schema.safeParse(plain(parseExactJson(stored.payload)));
  const trail = trailSchema.safeParse(parseExactJson(stored?.trail ?? 'null'));
  if (read?.success !== true || !trail.success)
    throw new IssuerError({
      code: 'input_missing',
      message: `No capital structure of ${named} with its facts is stored for ${row.sourceDate}.`,
      hint: 'Nights store it, past dates only its figures: issuer query "select * from instruments".',
    });
  if (format === 'json') {
    const value = { ...read.data, ...trail.data, method_version: row.methodVersion };
    return `${canonicalJson(value as unknown as CanonicalValue)}\n`;
  }
  const head = `${named}  ${issuer.name}  CIK ${issuer.cik}\n${accessionText(read.data.accession_number)}; slice of ${row.sourceDate} (${row.methodVersion})`;
  return `${head}\n\n${capitalTree(read.data, trail.data)}`;
}
