import { z } from 'zod';
import { outsideInstant } from '../../../data/contract/values/instant.ts';
import { parseAnswer, unusableAnswer } from '../http/getText.ts';
import {
  candleRow,
  type HistoryAdapter,
  type HistorySeries,
  historyDecimal,
  historyInstant,
  ohlc,
  openRow,
} from './venueHistory.ts';
import { type VenueAdapter, venueNumber } from './venueSession.ts';

// Bybit V5, public REST, as documented on https://bybit-exchange.github.io/docs/v5 (read 2026-11-23):
// - market/tickers: GET /v5/market/tickers?category=linear&symbol=BTCUSDT
//   {"retCode":0,"retMsg":"OK","result":{"category":"linear","list":[{"symbol","lastPrice","indexPrice","markPrice",
//   "openInterest" (coins),"fundingRate","nextFundingTime","fundingIntervalHour",…}]},"time":<ms>}
//   `fundingIntervalHour` is in newer answers only; without it the interval follows from the spacing of rates.
// Limits: 600 requests in five seconds and address; 403 names an address that asked too often.
// No live answer has confirmed these shapes here.

const tickers = z.object({
  retCode: z.number(),
  retMsg: z.string(),
  result: z.object({
    list: z
      .array(
        z.object({
          symbol: z.string(),
          lastPrice: venueNumber,
          indexPrice: venueNumber,
          markPrice: venueNumber,
          openInterest: venueNumber,
          fundingRate: venueNumber,
          fundingIntervalHour: venueNumber.optional(),
        }),
      )
      .max(10_000)
      .optional(),
  }),
  time: outsideInstant,
});

/** Linear perpetual contracts of Bybit. */
export const bybitVenue: VenueAdapter = {
  venue: 'bybit',
  origin: 'https://api.bybit.com',
  ratePerSecond: 5,
  nameOf: (symbol) => symbol.replace('-', ''),
  paths: (name) => [`/v5/market/tickers?category=linear&symbol=${name}`],
  read([answer = { url: '', text: '' }]) {
    const { retCode, retMsg, result, time } = parseAnswer({ ...answer, schema: tickers });
    const [one] = result.list ?? [];
    if (retCode !== 0 || one === undefined) {
      throw unusableAnswer(answer.url, `holds no contract (${retCode}: ${retMsg.slice(0, 80)})`);
    }
    return {
      symbol: one.symbol,
      mark: one.markPrice,
      indexPrice: one.indexPrice,
      last: one.lastPrice,
      openInterest: one.openInterest,
      fundingRate: one.fundingRate,
      fundingIntervalHours: one.fundingIntervalHour ?? null,
      observedMs: time,
    };
  },
};

// Bybit V5, public REST, as documented on https://bybit-exchange.github.io/docs/v5/market (read 2026-11-23):
// - kline: GET /v5/market/kline?category=linear&symbol=BTCUSDT&interval=15&start=<ms>&end=<ms>&limit=[1,1000]
//   {"retCode","retMsg","result":{"symbol","category","list":[[startTime, open, high, low, close, volume, turnover],…]},
//   "time"}, text each, the newest first; the close is the last trade until the candle has ended
// - mark-kline, index-kline: GET /v5/market/mark-price-kline and …/index-price-kline, the same without the two volumes
// - open-interest: GET /v5/market/open-interest?category&symbol&intervalTime=15min&startTime&endTime&limit=[1,200]
//   {"result":{"symbol","category","list":[{"openInterest","timestamp"},…],"nextPageCursor"}}; coins, both sides summed
// - history-fund-rate: GET /v5/market/funding/history?category&symbol&startTime&endTime&limit=[1,200], both times or none
//   {"result":{"category","list":[{"symbol","fundingRate","fundingRateTimestamp"},…]}}
// Limits are those of bybitVenue.ts. No live answer has confirmed these shapes here.

const candleRows = 1000;
const listRows = 200;

const answer = <T>(result: z.ZodType<T>) =>
  z.object({ retCode: z.number(), retMsg: z.string(), result, time: outsideInstant });
const tellable = z.object({ retCode: z.number(), retMsg: z.string() });
const category = z.literal('linear');
const price = z.tuple([historyInstant, ...ohlc], z.unknown());
const trade = z.tuple([historyInstant, ...ohlc, historyDecimal, historyDecimal], z.unknown());
const prices = answer(z.object({ symbol: z.string(), category, list: z.array(price).max(candleRows) }));
const trades = answer(z.object({ symbol: z.string(), category, list: z.array(trade).max(candleRows) }));
const interests = answer(
  z.object({
    symbol: z.string(),
    category,
    list: z.array(z.object({ openInterest: historyDecimal, timestamp: historyInstant })).max(listRows),
  }),
);
const fundings = answer(
  z.object({
    category,
    list: z
      .array(
        z.object({
          symbol: z.string(),
          fundingRate: historyDecimal,
          fundingRateTimestamp: historyInstant,
        }),
      )
      .max(listRows),
  }),
);

/** The past of Bybit's linear perpetual contracts: rates that were paid, and quarter hours of everything else. */
export const bybitHistory: HistoryAdapter = {
  ...bybitVenue,
  series: [
    opensOf('mark', 'mark-price-kline'),
    opensOf('index', 'index-price-kline'),
    {
      name: 'interest',
      pageRows: listRows,
      path: (name, { from, to }) =>
        `/v5/market/open-interest?category=linear&symbol=${name}&intervalTime=15min&startTime=${from}&endTime=${to}&limit=${listRows}`,
      read(said) {
        const { result, time } = accepted(said, interests);
        const rows = result.list.map(({ openInterest, timestamp }) => ({
          at: timestamp,
          price: null,
          cells: { open_interest: openInterest },
        }));
        return { symbols: [result.symbol], answeredMs: time, rows };
      },
    },
    {
      name: 'candle',
      pageRows: candleRows,
      path: (name, range) => candlePath('kline', name, range),
      read(said) {
        const { result, time } = accepted(said, trades);
        const rows = result.list.map((candle) => candleRow(candle, [candle[5], candle[6]]));
        return { symbols: [result.symbol], answeredMs: time, rows };
      },
    },
    {
      name: 'funding',
      pageRows: listRows,
      path: (name, { from, to }) =>
        `/v5/market/funding/history?category=linear&symbol=${name}&startTime=${from}&endTime=${to}&limit=${listRows}`,
      read(said) {
        const { result, time } = accepted(said, fundings);
        const rows = result.list.map(({ fundingRate, fundingRateTimestamp }) => ({
          at: fundingRateTimestamp,
          price: null,
          cells: { funding_rate: fundingRate },
        }));
        return { symbols: result.list.map(({ symbol }) => symbol), answeredMs: time, rows };
      },
    },
  ],
};

/** An error in words has no result to be of a shape. */
function accepted<T>(said: { readonly url: string; readonly text: string }, schema: z.ZodType<T>): T {
  const { retCode, retMsg } = parseAnswer({ ...said, schema: tellable });
  if (retCode !== 0) throw unusableAnswer(said.url, `is an error (${retCode}: ${retMsg.slice(0, 80)})`);
  return parseAnswer({ ...said, schema });
}

function opensOf(name: 'mark' | 'index', path: string): HistorySeries {
  return {
    name,
    pageRows: candleRows,
    path: (contract, range) => candlePath(path, contract, range),
    read(said) {
      const { result, time } = accepted(said, prices);
      const rows = result.list.map((candle) => openRow(candle, name));
      return { symbols: [result.symbol], answeredMs: time, rows };
    },
  };
}

function candlePath(
  path: string,
  name: string,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  return `/v5/market/${path}?category=linear&symbol=${name}&interval=15&start=${from}&end=${to}&limit=${candleRows}`;
}
