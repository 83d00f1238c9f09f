import { z } from 'zod';
import { parseAnswer } from '../http/getJson.ts';
import { type VenueAdapter, venueNumber } from './venueReading.ts';

// Coinbase International Exchange, public REST (read 2026-11-23):
// - https://docs.cdp.coinbase.com/international-exchange/concepts/instruments and
//   …/api-reference/international-exchange-api/rest-api/instruments: GET /api/v1/instruments/BTC-PERP
// - members as the public client describes them, https://nautilustrader.io/docs/core-nightly/nautilus_coinbase_intx/
//   http/models/struct.CoinbaseIntxInstrument.html: {"symbol","open_interest","funding_interval","notional_24hr",
//   "trading_state","quote":{"trade_price","index_price","mark_price","predicted_funding","timestamp",…},…}
// `funding_interval` is text; it is read as nanoseconds, and anything that is then no whole number of hours up to a day
// counts as not said. `open_interest` is in units of the base asset. Funding is paid every hour.
// Limits: 100 requests a second and address for public data.
// https://docs.cdp.coinbase.com/intx/docs says (read 2026-11-23): the exchange is read-only as of 2026-10-01; trading has moved
// to Deribit (https://docs.deribit.com/articles/intx-api-migration). Whether these addresses still answer is not known.
// No live answer has confirmed these shapes here.

const hourNanoseconds = 3_600_000_000_000;
const instrument = z.object({
  symbol: z.string(),
  open_interest: venueNumber,
  funding_interval: venueNumber.optional(),
  quote: z.object({
    trade_price: venueNumber.nullish(),
    index_price: venueNumber.nullish(),
    mark_price: venueNumber,
    predicted_funding: venueNumber.nullish(),
    timestamp: z.iso.datetime(),
  }),
});

/** Perpetual contracts of Coinbase International Exchange. */
export const coinbaseVenue: VenueAdapter = {
  venue: 'coinbase-intx',
  origin: 'https://api.international.coinbase.com',
  ratePerSecond: 5,
  nameOf: (symbol) => symbol,
  paths: (name) => [`/api/v1/instruments/${name}`],
  read([answer = { url: '', text: '' }]) {
    const { symbol, open_interest, funding_interval, quote } = parseAnswer({ ...answer, schema: instrument });
    const hours = (funding_interval ?? 0) / hourNanoseconds;
    return {
      symbol,
      mark: quote.mark_price,
      indexPrice: quote.index_price ?? null,
      last: quote.trade_price ?? null,
      openInterest: open_interest,
      fundingRate: quote.predicted_funding ?? null,
      fundingIntervalHours: Number.isInteger(hours) && hours >= 1 && hours <= 24 ? hours : null,
      observedMs: Date.parse(quote.timestamp),
    };
  },
};
