import { z } from 'zod';
import { outsideInstant } from '../../../data/contract/values/instant.ts';
import { parseAnswer } from '../http/getJson.ts';
import { type VenueAdapter, venueNumber } from './venueReading.ts';

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
