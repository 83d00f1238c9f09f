import { dayNumber } from '../../../data/contract/values/instant.ts';
import { type Chart, emptyChart, figureTable } from './chart.ts';
import { fixed, priceText, ratioPercentText } from './figures.ts';
import { lineRows } from './lineRows.ts';
import { lowestAndHighest } from './runsOf.ts';

/** Daily closes of one coin in US dollars, ascending by day; a day without a close is null. */
export type CoinCloses = {
  readonly asset: string;
  readonly closes: readonly { readonly date: string; readonly close: number | null }[];
};

type Day = { readonly date: string; readonly close: number };
type CoinEnds = { readonly asset: string } & Readonly<Record<'last' | 'lowest' | 'highest', Day | null>>;

const shownCloses = [
  { kind: 'last', figures: 'Last close', name: 'last_close', day: 'last_day' },
  { kind: 'lowest', figures: 'Lowest', name: 'lowest', day: 'lowest_day' },
  { kind: 'highest', figures: 'Highest', name: 'highest', day: 'highest_day' },
] as const;

/** Closes of coins, one row each on its own scale: last at the right, lowest and highest at the line (V46). Width in px. */
export function priceRows({ coins, width }: { coins: readonly CoinCloses[]; width: number }): Chart {
  const known = coins.map(({ asset, closes }): CoinEnds => {
    const days = closes.filter((day): day is Day => day.close !== null);
    const last = days.at(-1) ?? null;
    const ends = lowestAndHighest(days, ({ close }) => close);
    return { asset, last, highest: ends?.highest ?? null, lowest: ends?.lowest ?? null };
  });
  const table = figureTable({
    caption: 'Daily closes in US dollars',
    unit: 'USD a coin',
    rows: known,
    columns: [
      { words: 'Coin', of: 'asset', name: 'coin' },
      ...shownCloses.flatMap(({ kind, figures, name, day }) => [
        {
          ...{ figures, name, of: (coin: CoinEnds) => coin[kind]?.close ?? null },
          text: ({ [kind]: at }: CoinEnds) =>
            at === null ? 'no close' : `${priceText(at.close)} on ${at.date}`,
        },
        { name: day, of: (coin: CoinEnds) => coin[kind]?.date ?? null },
      ]),
    ],
  });
  const head = { id: 'price-rows', title: 'Coin prices', table };
  if (coins.length === 0)
    return emptyChart(head, width, {
      finding: 'No prices',
      sentence: 'Prices are daily closes in US dollars.',
      words: 'No coin has a close.',
    });
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
          points: closes.map(({ date, close }) => ({ day: dayNumber(date), value: close })),
          end: last === null ? 'no close' : priceText(last.close),
          empty: 'no close',
          extreme: priceText,
        };
      }),
    }),
  };
}

function findingOf(
  coin: CoinEnds | undefined,
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
