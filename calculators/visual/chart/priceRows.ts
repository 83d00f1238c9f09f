import { type Chart, column, emptyChart } from './chart.ts';
import { fixed, priceText, ratioPercentText } from './figures.ts';
import { lineRows } from './lineRows.ts';
import { lowestAndHighest } from './runsOf.ts';
import { dayNumber } from './timeAxis.ts';

/** Daily closes of one coin in US dollars, ascending by day; a day without a close is null. */
export type CoinCloses = {
  readonly asset: string;
  readonly closes: readonly { readonly date: string; readonly close: number | null }[];
};

/** Closes of coins, one row each on its own scale: last at the right, lowest and highest at the line (V46). Width in px. */
export function priceRows({ coins, width }: { coins: readonly CoinCloses[]; width: number }): Chart {
  const known = coins.map(({ asset, closes }) => {
    const days = closes.filter((day): day is { date: string; close: number } => day.close !== null);
    const last = days.at(-1) ?? null;
    const ends = lowestAndHighest(days, ({ close }) => close);
    return { asset, last, highest: ends?.highest ?? null, lowest: ends?.lowest ?? null };
  });
  const table: Chart['table'] = {
    caption: 'Daily closes in US dollars',
    columns: [
      column.words('Coin'),
      column.figures('Last close'),
      column.figures('Lowest'),
      column.figures('Highest'),
    ],
    rows: known.map(({ asset, last, lowest, highest }) => [
      asset,
      ...[last, lowest, highest].map((day) =>
        day === null ? 'no close' : `${priceText(day.close)} on ${day.date}`,
      ),
    ]),
    raw: {
      columns: ['coin', 'last_close', 'last_day', 'lowest', 'lowest_day', 'highest', 'highest_day'],
      rows: known.map(({ asset, last, lowest, highest }) => [
        asset,
        ...[last, lowest, highest].flatMap((day) => (day === null ? [null, null] : [day.close, day.date])),
      ]),
      unit: 'USD a coin',
    },
  };
  const head = { id: 'price-rows', title: 'Coin prices', table };
  if (coins.length === 0) {
    const words = 'No coin has a close.';
    return emptyChart({
      ...head,
      finding: 'No prices',
      sentence: 'Prices are daily closes in US dollars.',
      words,
      width,
    });
  }
  return {
    ...head,
    ...findingOf(known[0], coins[0]?.closes ?? []),
    desc: `${known
      .map(({ asset, last, lowest, highest }) =>
        last === null || lowest === null || highest === null
          ? `${asset}: no close`
          : `${asset} ${priceText(last.close)} on ${last.date}, between ${priceText(lowest.close)} on ${lowest.date} and ${priceText(highest.close)} on ${highest.date}`,
      )
      .join('; ')}. US dollars.`,
    scene: lineRows({
      width: width * 100,
      plot: 3_400,
      note: 'US dollars at the daily close; each row has its own scale.',
      rows: coins.map(({ asset, closes }, i) => {
        const last = known[i]?.last ?? null;
        return {
          name: asset,
          detail: null,
          points: closes.map(({ date, close }) => ({ day: dayNumber(date), value: close })),
          domain: null,
          bands: [],
          marks: [],
          end: last === null ? 'no close' : priceText(last.close),
          endDetail: null,
          empty: 'no close',
          spans: [],
          extreme: priceText,
        };
      }),
    }),
  };
}

type Day = { readonly date: string; readonly close: number };

function findingOf(
  coin: { asset: string; last: Day | null; highest: Day | null } | undefined,
  closes: readonly { readonly date: string }[],
): Pick<Chart, 'finding' | 'sentence'> {
  const today = closes.at(-1)?.date;
  const isOld = coin?.last != null && coin.last.date !== today;
  // a close of another day is no price of this one
  if (isOld && coin.last !== null)
    return {
      finding: `The last close of ${coin.asset} is of ${coin.last.date}`,
      sentence: `${priceText(coin.last.close)} US dollars; the closes after it are missing.`,
    };
  const sentence =
    closes.length === 1 ? 'The last daily close.' : `The last ${fixed(closes.length, 0)} daily closes.`;
  if (coin === undefined || coin.last === null || coin.highest === null)
    return { finding: `${coin?.asset ?? 'No coin'} has no close`, sentence };
  const { asset, last, highest } = coin;
  if (last.close >= highest.close) return { finding: `${asset} is at its highest close`, sentence };
  const fall = (highest.close - last.close) / highest.close;
  return {
    finding: `${asset} is ${ratioPercentText(fall)} below its highest close, of ${highest.date}`,
    sentence,
  };
}
