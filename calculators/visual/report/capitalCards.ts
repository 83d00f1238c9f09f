import { absenceWords, proofWords } from '../../../data/contract/meanings/capitalWords.ts';
import type { CapitalPayload } from '../../../data/contract/payloads/issuer/capital.ts';
import type { CapitalFigure } from '../../../data/contract/payloads/issuer/capitalParts.ts';
import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { column } from '../chart/chart.ts';
import { claimWaterfall } from '../chart/claimWaterfall.ts';
import { countText, fixed, ratioPercentText, usdText } from '../chart/figures.ts';
import type { Card } from './report.ts';

const mostInstruments = 8;

/**
 * What an issuer owes and when, who is paid first after a fall of 50 %, and how long its cash lasts (V57b). A figure of
 * one tag is not shown like a proven one, and what is not filed as a fact never reads as none.
 */
export function capitalCards(capital: CapitalPayload, live: LiveCoins | null): readonly Card[] {
  return [owedCard(capital), claimsCard(capital, live), runwayCard(capital)];
}

/** What the coins of the issuer are worth at the closes of a day, USD. */
export type LiveCoins = { readonly usd: number; readonly day: string };

function owedCard({
  ticker,
  instruments,
  instruments_absent: absent,
  currency,
  maturities,
}: CapitalPayload): Card {
  const owed = instruments.filter(({ state }) => state === 'outstanding');
  const shown = owed.slice(0, mostInstruments);
  const unit = currency ?? 'USD';
  const more = owed.length - shown.length;
  return {
    id: 'owed',
    heading:
      owed.length === 0
        ? 'Notes and loans'
        : `${countText(owed.length)} ${owed.length === 1 ? 'note or loan' : 'notes and loans'} outstanding`,
    paragraphs: [
      ...(absent === null ? [] : [`Notes and loans: ${absenceWords(absent)}.`]),
      ...(maturities.status === null
        ? ['A ladder of maturities is not filed as a fact.']
        : [`The filed ladder of maturities is ${maturities.status.replaceAll('_', ' ')}.`]),
      ...(more === 0 ? [] : [`${countText(more)} smaller ones are not listed.`]),
    ],
    chart: null,
    table:
      shown.length === 0
        ? null
        : {
            caption: `Notes and loans of ${ticker}, ${unit}`,
            columns: [
              column.words('Name'),
              column.figures('Principal'),
              column.figures('Proof'),
              column.figures('Rate'),
              column.figures('Due'),
            ],
            rows: shown.map((one) => [
              one.name,
              amountText(one.principal),
              proofWords(one.principal),
              rateText(one.coupon_rate),
              dateText(one.maturity_date),
            ]),
            raw: {
              columns: ['name', 'rank', 'principal', 'proof', 'coupon_rate', 'maturity_date'],
              rows: shown.map((one) => [
                one.name,
                one.rank,
                numberOf(one.principal),
                proofWords(one.principal),
                numberOf(one.coupon_rate),
                dateText(one.maturity_date),
              ]),
              unit,
            },
          },
  };
}

function claimsCard(
  { ticker, period, claims, claims_absent: absent }: CapitalPayload,
  live: LiveCoins | null,
): Card {
  const half = claims.find(({ lens, shock }) => lens === 'coins_only' && shock === 0.5);
  if (half === undefined)
    return {
      id: 'claims',
      heading: 'Who is paid first is not known',
      paragraphs: [
        absent.coins_only === null
          ? 'Recoveries are not stated.'
          : `Recoveries: ${proofWords({ value: null, null_reason: absent.coins_only })}.`,
      ],
      chart: null,
      table: null,
    };
  const rows = half.lines.filter(({ class: kind }) => kind !== 'common');
  const chart = claimWaterfall({
    ticker,
    period,
    shock: half.shock,
    pool: plain(half.pool),
    classes: rows.map(({ class: kind, claim, paid, recovery }) => ({
      class: kind,
      claim: plain(claim),
      paid: paid === null ? null : plain(paid),
      recovery,
    })),
    residual: plain(half.common_residual),
    isLowerBound: half.is_lower_bound,
    width: 360,
  });
  return {
    id: 'claims',
    heading: chart.finding,
    paragraphs: [chart.sentence, ...(live === null || rows.length === 0 ? [] : [liveSentence(live, half)])],
    chart: rows.length === 0 ? null : chart,
    table:
      rows.length === 0
        ? null
        : {
            ...chart.table,
            raw: {
              columns: ['class', 'claim_usd', 'paid_usd', 'recovery'],
              rows: rows.map(({ class: kind, claim, paid, recovery }) => [
                kind,
                plain(claim),
                paid === null ? null : plain(paid),
                recovery,
              ]),
              unit: 'USD and ratio',
            },
          },
  };
}

/** The same fall from the closes of the day, beside all that is owed to the pool: by then a filed recovery may be history. */
function liveSentence({ usd, day }: LiveCoins, { shock, lines }: CapitalPayload['claims'][number]): string {
  const owed = lines
    .filter(({ class: kind, paid }) => kind !== 'common' && paid !== null)
    .reduce((sum, { claim }) => sum + plain(claim), 0);
  return `At the closes of ${day} the coins are worth ${usdText(usd)}, ${usdText(usd * (1 - shock))} after the same fall, against filed claims of ${usdText(owed)}.`;
}

function runwayCard({ ticker, runway }: CapitalPayload): Card {
  const { months_of_cash: months, currency } = runway;
  const known = numberOf(months);
  const rows: readonly { what: string; figure: CapitalFigure }[] = [
    { what: 'Cash', figure: runway.cash },
    { what: 'Operating cash a month', figure: runway.monthly_operating_cash },
    { what: 'the same without coin dealings', figure: runway.monthly_operating_cash_without_coins },
    { what: 'Interest a year', figure: runway.annual_interest },
    { what: 'Preferred dividends a year', figure: runway.annual_preferred_dividends },
    { what: 'Due in twelve months', figure: runway.due_12m },
    { what: 'Left after twelve months', figure: runway.shortfall_12m },
  ];
  return {
    id: 'runway',
    heading: runwayHeading(known, months),
    paragraphs: [
      `Counted from ${runway.as_of} on, at the burn of the filing of ${runway.period_end}; no refinancing and no sale of stock is assumed.`,
    ],
    chart: null,
    table: {
      caption: `Cash and dues of ${ticker}, ${currency}`,
      columns: [column.words('Figure'), column.figures(currency), column.figures('Proof')],
      rows: rows.map(({ what, figure }) => [what, amountText(figure), proofWords(figure)]),
      raw: {
        columns: ['figure', 'amount', 'proof'],
        rows: rows.map(({ what, figure }) => [what, numberOf(figure), proofWords(figure)]),
        unit: currency,
      },
    },
  };
}

function runwayHeading(known: number | null, months: CapitalFigure): string {
  if (known === null) return `Months of cash: ${proofWords(months)}`;
  return known === 0
    ? 'At its burn the cash of the balance sheet is spent'
    : `Cash for ${fixed(known, 1)} months`;
}

const plain = (value: number | ExactDecimal) =>
  typeof value === 'number' ? value : Number(value.toString());

function numberOf(figure: CapitalFigure): number | null {
  const value = figure?.value ?? null;
  return value === null || typeof value === 'string' ? null : plain(value);
}

function amountText(figure: CapitalFigure): string {
  const value = numberOf(figure);
  if (value === null) return 'not known';
  return value < 0 ? `\u2212${usdText(-value)}` : usdText(value);
}

function rateText(figure: CapitalFigure): string {
  const value = numberOf(figure);
  return value === null ? 'not filed' : ratioPercentText(value);
}

function dateText(figure: CapitalFigure): string {
  return typeof figure?.value === 'string' ? figure.value : 'not filed';
}
