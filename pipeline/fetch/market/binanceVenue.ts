import { z } from 'zod';
import { outsideInstant as instant, outsideInstant } from '../../../data/contract/values/instant.ts';
import { parseAnswer } from '../http/getText.ts';
import {
  candleRow,
  type HistoryAdapter,
  type HistorySeries,
  historyDecimal,
  ohlc,
  openRow,
} from './venueHistory.ts';
import { type VenueAdapter, venueNumber } from './venueSession.ts';

// Binance USDⓈ-M futures, public REST, as documented on https://developers.binance.com (read 2026-11-23):
// - derivatives/usds-margined-futures/market-data/rest-api/Mark-Price: GET /fapi/v1/premiumIndex?symbol=BTCUSDT
//   {"symbol","markPrice","indexPrice","estimatedSettlePrice","lastFundingRate","nextFundingTime","interestRate","time"}
// - …/Open-Interest: GET /fapi/v1/openInterest?symbol=BTCUSDT {"openInterest","symbol","time"}, in coins
// - …/24hr-Ticker-Price-Change-Statistics: GET /fapi/v1/ticker/24hr?symbol=BTCUSDT {"symbol","lastPrice",…}
// - …/Get-Funding-Rate-Info: GET /fapi/v1/fundingInfo, contracts whose interval is not eight hours among others:
//   [{"symbol","fundingIntervalHours",…}]
// Limits: 2,400 of weight a minute and address (the four weigh 1 each); 429 asks to wait, 418 is a ban.
// No live answer has confirmed these shapes here.

const usualHours = 8;
const premium = z.object({
  symbol: z.string(),
  markPrice: venueNumber,
  indexPrice: venueNumber,
  lastFundingRate: venueNumber,
  time: outsideInstant,
});
const interest = z.object({ symbol: z.string(), openInterest: venueNumber });
const ticker = z.object({ symbol: z.string(), lastPrice: venueNumber });
const intervals = z
  .array(z.object({ symbol: z.string(), fundingIntervalHours: z.number().positive().max(24) }))
  .max(10_000);

/** Perpetual contracts of Binance that are margined in USDT. */
export const binanceVenue: VenueAdapter = {
  venue: 'binance',
  origin: 'https://fapi.binance.com',
  ratePerSecond: 5,
  nameOf: (symbol) => symbol.replace('-', ''),
  paths: (name) => [
    `/fapi/v1/premiumIndex?symbol=${name}`,
    `/fapi/v1/openInterest?symbol=${name}`,
    `/fapi/v1/ticker/24hr?symbol=${name}`,
    '/fapi/v1/fundingInfo',
  ],
  read([first = none, second = none, third = none, fourth = none], name) {
    const state = parseAnswer({ ...first, schema: premium });
    const open = parseAnswer({ ...second, schema: interest });
    const day = parseAnswer({ ...third, schema: ticker });
    const paid = parseAnswer({ ...fourth, schema: intervals }).find(({ symbol }) => symbol === name);
    const other = [state, open, day].find(({ symbol }) => symbol !== name);
    return {
      symbol: other?.symbol ?? name,
      mark: state.markPrice,
      indexPrice: state.indexPrice,
      last: day.lastPrice,
      openInterest: open.openInterest,
      fundingRate: state.lastFundingRate,
      fundingIntervalHours: paid?.fundingIntervalHours ?? usualHours,
      observedMs: state.time,
    };
  },
};

const none = { url: '', text: '' };

// Binance USDⓈ-M futures, public REST, as documented on
// https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api (read 2026-11-23):
// - Get-Funding-Rate-History: GET /fapi/v1/fundingRate?symbol=BTCUSDT&startTime&endTime&limit=[1,1000]
//   [{"symbol","fundingRate","fundingTime":<ms>,"markPrice"},…], the oldest first; times may be milliseconds past the
//   hour, and markPrice is empty in old rows
// - Mark-Price-Kline-Candlestick-Data: GET /fapi/v1/markPriceKlines?symbol=BTCUSDT&interval=15m&startTime&endTime&
//   limit=[1,1500]: [[openTime, "open", "high", "low", "close", …],…]
// - Index-Price-Kline-Candlestick-Data: GET /fapi/v1/indexPriceKlines?pair=BTCUSDT&…, the same
// - Kline-Candlestick-Data: GET /fapi/v1/klines?symbol=BTCUSDT&…: [[openTime, "open", "high", "low", "close", "volume",
//   closeTime, "quoteVolume", trades, …],…]
// - Open-Interest-Statistics: GET /futures/data/openInterestHist?symbol=BTCUSDT&period=15m&startTime&endTime&limit=[1,500]
//   [{"symbol","sumOpenInterest" (coins),"sumOpenInterestValue","timestamp"},…], of the latest 30 days alone; an older
//   startTime is answered 400
// - Check-Server-Time: GET /fapi/v1/time {"serverTime":<ms>}; the other answers have no time of their own
// Candles do not say whose they are: prices are compared with those of funding and open interest, which do.
// Limits: 2,400 of weight a minute and address; a candle page of [100,500) rows weighs 2, of more 5 or 10. fundingRate
// shares 500 requests in five minutes with fundingInfo, openInterestHist has 1,000. 429 says how long to wait, 418 is a ban.
// No live answer has confirmed these shapes here.

const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** The most rows for a weight of 2. */
const candleRows = 499;
const interestRows = 500;
const fundingRows = 1000;
/** How late a payment may be stamped and still be that of its hour. */
const stampMs = 60_000;

const prices = z.array(z.tuple([instant, ...ohlc], z.unknown())).max(candleRows);
const trade = z.tuple([instant, ...ohlc, historyDecimal, instant, historyDecimal], z.unknown());
const trades = z.array(trade).max(candleRows);
const interests = z
  .array(
    z.object({
      symbol: z.string(),
      sumOpenInterest: historyDecimal,
      sumOpenInterestValue: historyDecimal,
      // text in the documentation's example, a number in others
      timestamp: z.union([instant, z.string().regex(/^\d{13}$/)]).transform(Number),
    }),
  )
  .max(interestRows);
const fundings = z
  .array(
    z.object({
      symbol: z.string(),
      fundingRate: historyDecimal,
      fundingTime: instant,
      markPrice: z.union([historyDecimal, z.literal('')]).optional(),
    }),
  )
  .max(fundingRows);
const serverTime = z.object({ serverTime: instant });

/** The past of Binance's USDT-margined perpetual contracts: rates that were paid, and quarter hours of everything else. */
export const binanceHistory: HistoryAdapter = {
  ...binanceVenue,
  clock: {
    path: '/fapi/v1/time',
    read: (said) => parseAnswer({ ...said, schema: serverTime }).serverTime,
  },
  series: [
    {
      name: 'funding',
      pageRows: fundingRows,
      path: (name, { from, to }) =>
        `/fapi/v1/fundingRate?symbol=${name}&startTime=${from}&endTime=${to + stampMs - 1}&limit=${fundingRows}`,
      read(said) {
        const list = parseAnswer({ ...said, schema: fundings });
        const rows = list.map(({ fundingRate, fundingTime, markPrice }) => ({
          at: fundingTime % hourMs < stampMs ? fundingTime - (fundingTime % hourMs) : fundingTime,
          price: (markPrice ?? '') === '' ? null : Number(markPrice),
          cells: { funding_rate: fundingRate },
        }));
        return { symbols: list.map(({ symbol }) => symbol), answeredMs: null, rows };
      },
    },
    {
      name: 'interest',
      pageRows: interestRows,
      // an hour less, or the oldest would have left the window before it is asked for
      reachMs: 30 * dayMs - hourMs,
      path: (name, { from, to }) =>
        `/futures/data/openInterestHist?symbol=${name}&period=15m&startTime=${from}&endTime=${to}&limit=${interestRows}`,
      read(said) {
        const list = parseAnswer({ ...said, schema: interests });
        const rows = list.map(({ sumOpenInterest, sumOpenInterestValue, timestamp }) => ({
          at: timestamp,
          price: Number(sumOpenInterest) > 0 ? Number(sumOpenInterestValue) / Number(sumOpenInterest) : null,
          cells: { open_interest: sumOpenInterest },
        }));
        return { symbols: list.map(({ symbol }) => symbol), answeredMs: null, rows };
      },
    },
    opensOf('mark', 'markPriceKlines?symbol'),
    opensOf('index', 'indexPriceKlines?pair'),
    {
      name: 'candle',
      pageRows: candleRows,
      path: (name, range) => candlePath(`klines?symbol=${name}`, range),
      read(said) {
        const list = parseAnswer({ ...said, schema: trades });
        const rows = list.map((candle) => candleRow(candle, [candle[5], candle[7]]));
        return { symbols: [], answeredMs: null, rows };
      },
    },
  ],
};

function opensOf(name: 'mark' | 'index', query: string): HistorySeries {
  return {
    name,
    pageRows: candleRows,
    path: (contract, range) => candlePath(`${query}=${contract}`, range),
    read(said) {
      const list = parseAnswer({ ...said, schema: prices });
      return { symbols: [], answeredMs: null, rows: list.map((candle) => openRow(candle, name)) };
    },
  };
}

function candlePath(what: string, { from, to }: { readonly from: number; readonly to: number }): string {
  return `/fapi/v1/${what}&interval=15m&startTime=${from}&endTime=${to}&limit=${candleRows}`;
}
