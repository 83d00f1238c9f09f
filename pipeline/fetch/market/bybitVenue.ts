import { z } from 'zod';
import { outsideInstant } from '../../../data/contract/values/instant.ts';
import { parseAnswer } from '../http/getJson.ts';
import { unusableAnswer } from '../http/getText.ts';
import { type VenueAdapter, venueNumber } from './venueReading.ts';

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
