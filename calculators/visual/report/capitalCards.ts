import { absenceWords, proofWords } from '../../../data/contract/meanings/capitalWords.ts';
import type { CapitalPayload } from '../../../data/contract/payloads/issuer/capital.ts';
import type { CapitalFigure } from '../../../data/contract/payloads/issuer/capitalParts.ts';
import { figureTable } from '../chart/chart.ts';
import { claimWaterfall } from '../chart/claimWaterfall.ts';
import { countText, fixed, ratioPercentText, usdText } from '../chart/figures.ts';
import { amount, type Card, card } from './report.ts';

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
  return card({
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
    table:
      shown.length === 0
        ? null
        : figureTable({
            caption: `Notes and loans of ${ticker}, ${unit}`,
            unit,
            rows: shown,
            columns: [
              { words: 'Name', of: 'name' },
              { of: 'rank' },
              { ...figured('Principal'), of: (one) => numberOf(one.principal), name: 'principal' },
              { figures: 'Proof', of: (one) => proofWords(one.principal), name: 'proof' },
              {
                ...{ figures: 'Rate', name: 'coupon_rate', as: ratioPercentText, none: 'not filed' },
                of: (one) => numberOf(one.coupon_rate),
              },
              { figures: 'Due', of: (one) => dateText(one.maturity_date), name: 'maturity_date' },
            ],
          }),
  });
}

/** A column of amounts, which may be negative. */
const figured = (figures: string) => ({ figures, as: amountText, none: 'not known' });

function claimsCard(
  { ticker, period, claims, claims_absent: absent }: CapitalPayload,
  live: LiveCoins | null,
): Card {
  const half = claims.find(({ lens, shock }) => lens === 'coins_only' && shock === 0.5);
  if (half === undefined)
    return card({
      id: 'claims',
      heading: 'Who is paid first is not known',
      paragraphs: [
        absent.coins_only === null
          ? 'Recoveries are not stated.'
          : `Recoveries: ${proofWords({ value: null, null_reason: absent.coins_only })}.`,
      ],
    });
  const rows = half.lines
    .filter(({ class: kind }) => kind !== 'common')
    .map(({ class: kind, claim, paid, recovery }) => ({
      class: kind,
      claim: amount(claim),
      paid: paid === null ? null : amount(paid),
      recovery,
    }));
  const chart = claimWaterfall({
    ...{ ticker, period, shock: half.shock, classes: rows, width: 360 },
    pool: amount(half.pool),
    residual: amount(half.common_residual),
    isLowerBound: half.is_lower_bound,
  });
  if (rows.length === 0) return card({ id: 'claims', heading: chart.finding, paragraphs: [chart.sentence] });
  return {
    id: 'claims',
    heading: chart.finding,
    paragraphs: [chart.sentence, ...(live === null ? [] : [liveSentence(live, half)])],
    chart,
    table: {
      ...chart.table,
      raw: {
        columns: ['class', 'claim_usd', 'paid_usd', 'recovery'],
        rows: rows.map((row) => [row.class, row.claim, row.paid, row.recovery]),
        unit: 'USD and ratio',
      },
    },
  };
}

/** The same fall from the closes of the day, beside all that is owed to the pool: by then a filed recovery may be history. */
function liveSentence({ usd, day }: LiveCoins, { shock, lines }: CapitalPayload['claims'][number]): string {
  const owed = lines
    .filter(({ class: kind, paid }) => kind !== 'common' && paid !== null)
    .reduce((sum, { claim }) => sum + amount(claim), 0);
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
  return card({
    id: 'runway',
    heading: runwayHeading(known, months),
    paragraphs: [
      `Counted from ${runway.as_of} on, at the burn of the filing of ${runway.period_end}; no refinancing and no sale of stock is assumed.`,
    ],
    table: figureTable({
      caption: `Cash and dues of ${ticker}, ${currency}`,
      unit: currency,
      rows,
      columns: [
        { words: 'Figure', of: 'what', name: 'figure' },
        { ...figured(currency), of: ({ figure }) => numberOf(figure), name: 'amount' },
        { figures: 'Proof', of: ({ figure }) => proofWords(figure), name: 'proof' },
      ],
    }),
  });
}

function runwayHeading(known: number | null, months: CapitalFigure): string {
  if (known === null) return `Months of cash: ${proofWords(months)}`;
  return known === 0
    ? 'At its burn the cash of the balance sheet is spent'
    : `Cash for ${fixed(known, 1)} months`;
}

function numberOf(figure: CapitalFigure): number | null {
  const value = figure?.value ?? null;
  return value === null || typeof value === 'string' ? null : amount(value);
}

const amountText = (value: number): string => (value < 0 ? `\u2212${usdText(-value)}` : usdText(value));

function dateText(figure: CapitalFigure): string {
  return typeof figure?.value === 'string' ? figure.value : 'not filed';
}
