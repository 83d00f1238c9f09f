import { z } from 'zod';
import { shareText } from '../../../calculators/briefs/figureText.ts';
import type { CovenantFacility } from '../../../data/contract/payloads/issuer/facility.ts';

const figures = z
  .object({
    drawn: z.number().nullable(),
    collateral_units: z.number().nullable(),
    trigger_ltv: z.number().nullable(),
    margin_call_price: z.number().nullable(),
  })
  .nullable();

/** A loan that moved, as the daily changes say it. */
export const movedFacility = z.object({
  ticker: z.string(),
  name: z.string(),
  change: z.enum(['new', 'changed', 'not_shown']),
  collateral_asset: z.string().nullable(),
  as_of: z.string(),
  prior: figures,
  now: figures,
  accession_number: z.string(),
});

/** A facility of the slice and whose it is. */
export type NearestCall = { readonly ticker: string } & Pick<
  CovenantFacility,
  | 'name'
  | 'collateral_asset'
  | 'margin_call_price'
  | 'live_price_fall_to_call'
  | 'live_ltv'
  | 'trigger_ltv'
  | 'price_date'
  | 'as_of'
>;

/** What a new filing says of a loan: `KULR drew 3.8 M against 70 BTC; call at 84,821.43`. */
export function movedFacilityWords({
  change,
  collateral_asset: coin,
  as_of: day,
  ...move
}: z.infer<typeof movedFacility>): string {
  const { prior, now } = move;
  const asset = coin ?? 'coins';
  const loan = move.name.slice(move.name.indexOf(':') + 1).replace(/Member$/, '');
  if (change === 'not_shown' || now === null)
    return `${loan} is not among the loans read from the new filing, ${amount(prior?.drawn)} before`;
  const pledged =
    now.collateral_units === null
      ? coin === null
        ? ''
        : ` against ${coin}`
      : ` against ${count(now.collateral_units)} ${asset}`;
  const call = now.margin_call_price === null ? '' : `; call at ${count(now.margin_call_price)} USD`;
  const drawn =
    change === 'new' ? `drew ${amount(now.drawn)}` : `${amount(prior?.drawn)} → ${amount(now.drawn)}`;
  return `${drawn}${pledged}${call}; as of ${day}, ${loan}`;
}

/** How far the close is from the call of a loan. */
export function nearestCallWords(one: NearestCall): string {
  const fall = one.live_price_fall_to_call ?? 0;
  const share = shareText(Math.abs(fall));
  const call = `its call at ${count(one.margin_call_price ?? 0)} USD a ${one.collateral_asset}`;
  const close = `the close of ${one.price_date}`;
  const where =
    fall > 0
      ? `${call} is a fall of ${share} from ${close}`
      : `${call} is already crossed: ${close} is ${fall === 0 ? 'at it' : 'below it'}`;
  return `${one.ticker.padEnd(6)} ${where}, without collateral added since ${one.as_of}`;
}

function amount(value: number | null | undefined): string {
  if (value === null || value === undefined) return 'an amount not stated';
  const size = Math.abs(value);
  if (size >= 1e9) return `${(value / 1e9).toFixed(3)} B`;
  return size >= 1e6 ? `${(value / 1e6).toFixed(1)} M` : count(value);
}

function count(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 2 });
}
