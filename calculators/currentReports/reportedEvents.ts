import { compareText } from '../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { countText, usdText } from '../briefs/figureText.ts';
import type { Statement, StatementKind } from './statement.ts';

/** What one filing states of coins, debt or cash, as one line (M17.33). */
export type ReportedEvent = {
  readonly kind: EventKind;
  /** `bought 855 BTC for USD 75.3 M (87,974 each), 2026-01-26 to 2026-02-01; holds 713,502`. */
  readonly text: string;
  readonly as_of: string;
  /** UTC day of its acceptance. */
  readonly known_on: string;
  readonly accession_number: string;
  /** Type of the document and number of the block it stands in: `8-K#39`. */
  readonly place: string;
};

/** Kinds of an event, in the order in which those of one filing are listed. */
const kinds = {
  purchase: 'bought',
  sale: 'sold',
  production: 'mined',
  holdings: 'holds',
  pledge: 'pledged',
  release: 'released',
  notes_issued: 'notes_closed',
  debt_repaid: 'notes_repaid',
  redemption_notice: 'redemption_announced',
  atm: 'shares_sold',
  cash: 'cash',
} as const satisfies Record<StatementKind, string>;

type EventKind = (typeof kinds)[StatementKind];

const order = Object.keys(kinds);

/**
 * The events of the newest filing that states any, at most six: purchases, sales and coins mined first. A number of coins
 * held stands behind the flow that ends on its day, alone without one; what is of confidence Low is not published.
 */
export function newestEvents(statements: readonly Statement[]): ReportedEvent[] {
  const sure = statements.filter(({ confidence, asOf }) => confidence !== 'Low' && asOf !== null);
  const newest = sure
    .map(({ source }) => source)
    .toSorted((a, b) => compareText(a.acceptedAt, b.acceptedAt) || compareText(a.accession, b.accession))
    .at(-1);
  if (newest === undefined) return [];
  const own = sure.filter(({ source }) => source.accession === newest.accession);
  const held = new Map(
    own.filter(({ kind }) => kind === 'holdings').map((one) => [`${one.asset} ${one.asOf}`, one.units]),
  );
  const flows = new Set(own.filter(isFlow).map((one) => `${one.asset} ${one.asOf}`));
  return own
    .filter((one) => one.kind !== 'holdings' || !flows.has(`${one.asset} ${one.asOf}`))
    .toSorted(
      (a, b) =>
        order.indexOf(a.kind) - order.indexOf(b.kind) ||
        compareText(b.asOf ?? '', a.asOf ?? '') ||
        a.place.block - b.place.block,
    )
    .slice(0, mostEvents)
    .map((one) => eventOf(one, isFlow(one) ? (held.get(`${one.asset} ${one.asOf}`) ?? null) : null));
}

const mostEvents = 6;

function isFlow({ kind }: Statement): boolean {
  return kind === 'purchase' || kind === 'sale' || kind === 'production';
}

function eventOf(one: Statement, holds: ExactDecimal | null): ReportedEvent {
  const { kind, asOf, periodFrom, source, place } = one;
  const days = periodFrom === null ? `${asOf}` : `${periodFrom} to ${asOf}`;
  const then = holds === null ? '' : `; holds ${countOf(holds)}`;
  return {
    kind: kinds[kind],
    text: `${acts(one)}, ${kind === 'holdings' || kind === 'cash' ? 'as of ' : ''}${days}${then}`,
    as_of: asOf ?? source.filed,
    known_on: source.acceptedAt.slice(0, 10),
    accession_number: source.accession,
    place: `${place.type}#${place.block}`,
  };
}

function acts(one: Statement): string {
  const { kind, asset, units, usd, netProceeds } = one;
  const coins = units === null ? `an unstated number of ${asset}` : `${countOf(units)} ${asset}`;
  const about = one.isApproximate ? 'about ' : '';
  const money = usd === null ? 'an amount not stated' : usdText(usd.toString());
  switch (kind) {
    case 'purchase':
    case 'sale':
      if (units?.sign === 0) return `${kinds[kind]} no ${asset}`;
      return `${kinds[kind]} ${about}${coins}${priced(one)}`;
    case 'production':
    case 'holdings':
    case 'pledge':
    case 'release':
      return `${kinds[kind]} ${about}${coins}`;
    case 'notes_issued':
      return `closed notes or a loan of ${money}${netProceeds === null ? '' : `, net ${usdText(netProceeds.toString())}`}`;
    case 'debt_repaid':
      return `repaid debt of ${money}`;
    case 'redemption_notice':
      return `announced the redemption of ${money}`;
    case 'atm':
      return `sold ${units === null ? '' : `${countOf(units)} `}shares${tickerOf(one)}${usd === null ? '' : ` for ${money}`}${netProceeds === null ? '' : ' net'}`;
    case 'cash':
      return `holds cash of ${money}`;
  }
}

function priced({ usd, avgPrice }: Statement): string {
  const each = avgPrice === null ? '' : ` (${countOf(avgPrice)} each)`;
  return usd === null ? each : ` for ${usdText(usd.toString())}${each}`;
}

/** A ticker alone: other words of a filer stand in quotes only. */
function tickerOf({ security }: Statement): string {
  return security !== null && /^[A-Z]{1,6}$/.test(security) ? ` of ${security}` : '';
}

function countOf(units: ExactDecimal): string {
  return countText(units.toString(), 8);
}
