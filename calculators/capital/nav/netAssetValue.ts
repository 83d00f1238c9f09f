import { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import { daysBetween } from '../../exact/civilDate.ts';
import { divide, exactly, type Fraction, multiply, rounded } from '../../exact/fraction.ts';
import type { Split } from '../../prices/splits.ts';
import { distinctSplits } from '../../prices/splits.ts';
import { type StockAnswer, splitFactor } from '../../prices/stockBook.ts';
import type { FiledCapital } from '../capital.ts';
import { absentFigure, type Figure, figureOf } from '../figure.ts';
import type { Nav, Shares } from '../parts.ts';
import { treasuryStock } from '../shares/treasuryStock.ts';

/** Of a proposal for indices, not of a rule in force. */
const indexThreshold = ExactDecimal.parse('0.5');
const countOldDays = 100;
/** A hundred-millionth, bitcoin's own smallest unit. */
const unitDigits = 8;
const ratioDigits = 6;
const moneyDigits = 4;

/** Coins of P or of the day asked, in dollars. */
export type NavCoins = {
  readonly amount: ExactDecimal;
  /** Carried at cost less impairment: what the coins are worth is units at their close. */
  readonly isLowerBound: boolean;
  /** Units of P with the closes of the day; null where a coin has no count or no close. */
  readonly unitsAtClose: ExactDecimal | null;
};

/** Units of P, as accepted by M2.9, or of a roll that closes. */
export type AssetUnits = { readonly asset: string; readonly units: Figure };

export type NavInput = {
  readonly capital: Pick<FiledCapital, 'instruments' | 'preferred' | 'shares'>;
  readonly basis: Nav['basis'];
  /** null where the issuer's coins are not known. */
  readonly coins: NavCoins | null;
  readonly units: readonly AssetUnits[];
  /** D; null where it is not proven. */
  readonly debt: ExactDecimal | null;
  readonly cash: ExactDecimal | null;
  readonly assets: ExactDecimal | null;
  readonly pledgedReceivable: ExactDecimal | null;
  readonly close: StockAnswer;
  /** Of the stock, known from other filings and the registry. */
  readonly splits: readonly Split[];
  /** The day the filing was made: counts are on the basis of every split before it. */
  readonly filed: string;
};

/** What a share holds and what the market pays for it (M18.48–M18.49). */
export function netAssetValue(input: NavInput): Nav {
  const { capital, basis, assets, filed } = input;
  const { shares } = capital;
  const close = closeOf(input.close, shares.depositary);
  const gross = grossOf(input);
  const lens = netOf(input, gross);
  const counts = countsAt(shares, { filed, closeDate: close.date, known: input.splits });
  const ratios = marketRatios({ input, close: close.figure, gross, lens, counts });
  const share = shareOf(input.coins?.amount ?? null, assets);
  const pledged = input.pledgedReceivable;
  const withPledged = input.coins === null || pledged === null ? null : input.coins.amount.plus(pledged);
  const countDate = shares.perShareDate;
  const isOld =
    close.date !== null && countDate !== null && daysBetween(countDate, close.date) > countOldDays;
  const isPart = share.value !== null && share.value.compare(indexThreshold) < 0;
  return {
    basis,
    coinsPerShare: input.units.map(({ asset, units }) => ({
      asset,
      units,
      perShare: over(units, shares.perShare, { digits: unitDigits, basis: 'units_per_share' }),
      perSharePrefunded: over(units, shares.basicPlusPrefunded, {
        digits: unitDigits,
        basis: 'with_prefunded',
      }),
      perShareDiluted: over(units, shares.fullyDiluted, { digits: unitDigits, basis: 'fully_diluted' }),
    })),
    gross,
    ...lens,
    perShare: over(lens.netOfClaims, shares.perShare, {
      digits: moneyDigits,
      basis: 'net_of_claims_per_share',
    }),
    close: close.figure,
    closeDate: close.date,
    countDate,
    ...ratios,
    digitalAssetShare: share,
    digitalAssetShareWithPledged: pledged === null ? absentFigure('not_filed') : shareOf(withPledged, assets),
    isAboveIndexThreshold: share.value === null ? null : share.value.compare(indexThreshold) > 0,
    notes: [...(isOld ? ['count_old'] : []), ...(isPart ? ['coins are a part of the enterprise'] : [])],
  };
}

/** The close of one counted share: of a depositary share it is divided by the ordinary shares it stands for (M18.42b). */
function closeOf(
  answer: StockAnswer,
  depositary: Shares['depositary'],
): { readonly figure: Figure; readonly date: string | null } {
  if (answer.kind === 'none') return { figure: absentFigure(answer.reason), date: null };
  const { close, date, basis } = answer.close;
  if (depositary === null) return { figure: derived(close, { basis, from: [] }), date };
  const { ordinaryShares } = depositary;
  const figure =
    ordinaryShares === null
      ? absentFigure('missing', { part: 'ordinary shares per ADS' })
      : derived(quotientOf(close, ordinaryShares, unitDigits), { basis, from: [] });
  return { figure, date };
}

/** C; what is carried at cost less impairment is worth its units, or nothing is said of it. */
function grossOf({ coins }: NavInput): Figure {
  if (coins === null) return absentFigure('missing', { part: 'coins' });
  if (!coins.isLowerBound) return derived(coins.amount, { basis: 'coins', from: [] });
  if (coins.unitsAtClose === null) return absentFigure('lower_bound', { part: 'coins' });
  return derived(coins.unitsAtClose, { basis: 'units_at_close', from: [] });
}

/** Principal where the instruments tie to the debt of the balance sheet, else that. */
function debtOf({ capital: { instruments }, debt }: NavInput): Figure {
  const { status, principal } = instruments.stack;
  if (status === 'ties' && principal !== null) return derived(principal, { basis: 'principal', from: [] });
  return debt === null
    ? absentFigure('missing', { part: 'debt' })
    : derived(debt, { basis: 'balance_sheet', from: [] });
}

function netOf(input: NavInput, gross: Figure): Pick<Nav, 'netOfDebt' | 'netOfClaims'> {
  const { capital, cash } = input;
  const debt = debtOf(input);
  const claims = capital.preferred.claim;
  const netOfDebt =
    gross.value === null
      ? gross
      : debt.value === null
        ? debt
        : cash === null
          ? absentFigure('missing', { part: 'cash' })
          : derived(gross.value.plus(cash).minus(debt.value), { basis: debt.basis, from: [gross] });
  if (netOfDebt.value === null) return { netOfDebt, netOfClaims: netOfDebt };
  const preferred = capital.preferred.classes.flatMap(({ claim }) => claim.facts);
  const netOfClaims: Figure =
    claims === null
      ? absentFigure('missing', { part: 'preferred' })
      : { ...derived(netOfDebt.value.minus(claims), { basis: netOfDebt.basis, from: [] }), facts: preferred };
  return { netOfDebt, netOfClaims };
}

type Counts = {
  readonly outstanding: Figure;
  /** Shares of the close's day for one of the count's. */
  readonly factor: ExactDecimal;
};

/** The count in shares of the day of the close. */
function countsAt(
  { perShare, perShareDate, splits: stated, notes }: Shares,
  {
    filed,
    closeDate,
    known,
  }: { readonly filed: string; readonly closeDate: string | null; readonly known: readonly Split[] },
): Counts {
  const splits = distinctSplits([...known, ...stated]);
  const one = ExactDecimal.parse('1');
  if (closeDate === null || perShare.value === null || perShareDate === null)
    return { outstanding: perShare, factor: one };
  // a filing restates its counts for a split before it, unless its own cover says otherwise
  const isRestated = !notes.some((note) => note.startsWith('count_split:'));
  const after = isRestated && filed > perShareDate ? filed : perShareDate;
  // the close of an earlier day was of shares before the splits the count is on
  const factor =
    closeDate >= after
      ? splitFactor(splits, { after, upTo: closeDate })
      : inverse(splitFactor(splits, { after: closeDate, upTo: after }));
  return { outstanding: { ...perShare, value: perShare.value.times(factor).rounded(4) }, factor };
}

function inverse(value: ExactDecimal): ExactDecimal {
  return rounded(divide(exactly(1), exactly(value)), 12);
}

function marketRatios({
  input,
  close,
  gross,
  lens,
  counts: { outstanding, factor },
}: {
  readonly input: NavInput;
  readonly close: Figure;
  readonly gross: Figure;
  readonly lens: Pick<Nav, 'netOfClaims'>;
  readonly counts: Counts;
}): Pick<Nav, 'mnavGross' | 'mnavEnterprise' | 'mnavNet' | 'mnavDiluted'> {
  const value = times(close, outstanding);
  const mnavGross = ratioOf(value, gross);
  const debt = debtOf(input);
  const { preferred, shares, instruments } = input.capital;
  const parts: readonly Figure[] = [
    debt,
    preferred.claim === null
      ? absentFigure('missing', { part: 'preferred' })
      : derived(preferred.claim, { basis: 'claim', from: [] }),
    input.cash === null
      ? absentFigure('missing', { part: 'cash' })
      : derived(input.cash.negated(), { basis: 'cash', from: [] }),
  ];
  const enterprise = parts.reduce(plus, value);
  // the method is the filing's: its prices are those of its own shares
  const atCount = close.value === null ? null : close.value.times(factor);
  const diluted = atCount === null ? null : treasuryStock(shares, { close: atCount, instruments });
  const dilutedShares = diluted === null ? close : scaled(diluted.shares, factor);
  const dilutedNet = diluted === null ? close : plus(lens.netOfClaims, diluted.convertedPrincipal);
  return {
    mnavGross,
    mnavEnterprise: ratioOf(enterprise, gross),
    mnavNet: ratioOf(value, lens.netOfClaims),
    mnavDiluted: ratioOf(times(close, dilutedShares), dilutedNet),
  };
}

function scaled(figure: Figure, factor: ExactDecimal): Figure {
  return figure.value === null ? figure : { ...figure, value: figure.value.times(factor) };
}

function plus(a: Figure, b: Figure): Figure {
  if (a.value === null) return a;
  if (b.value === null) return b;
  return derived(a.value.plus(b.value), { basis: a.basis, from: [a, b] });
}

function times(close: Figure, count: Figure): Figure {
  if (close.value === null) return close;
  if (count.value === null)
    return count.reason === 'missing' ? count : absentFigure('missing', { part: 'outstanding' });
  return derived(close.value.times(count.value), { basis: count.basis, from: [count] });
}

/** Null at or below zero: nothing is paid for less than nothing. */
function ratioOf(a: Figure, b: Figure): Figure {
  if (a.value === null) return a;
  if (b.value === null) return b;
  if (b.value.sign <= 0) return absentFigure('not_applicable', { part: 'not above zero' });
  return derived(quotientOf(a.value, b.value, ratioDigits), { basis: b.basis, from: [a, b] });
}

function over(
  amount: Figure,
  count: Figure,
  { digits, basis }: { readonly digits: number; readonly basis: string },
): Figure {
  if (amount.value === null) return amount;
  if (count.value === null)
    return count.reason === 'missing' ? count : absentFigure('missing', { part: 'shares' });
  if (count.value.sign <= 0) return absentFigure('not_applicable', { part: 'shares' });
  const status = [amount.status, count.status].includes('partial')
    ? 'partial'
    : amount.status === count.status
      ? amount.status
      : 'stated';
  return {
    ...derived(quotientOf(amount.value, count.value, digits), { basis, from: [amount, count] }),
    status,
  };
}

function shareOf(coins: ExactDecimal | null, assets: ExactDecimal | null): Figure {
  if (coins === null) return absentFigure('missing', { part: 'coins' });
  if (assets === null || assets.sign <= 0) return absentFigure('missing', { part: 'assets' });
  return derived(quotientOf(coins, assets, ratioDigits), { basis: 'of_assets', from: [] });
}

function quotientOf(a: ExactDecimal, b: ExactDecimal, digits: number): ExactDecimal {
  const ratio: Fraction = multiply(exactly(a), divide(exactly(1), exactly(b)));
  return rounded(ratio, digits);
}

function derived(
  value: ExactDecimal,
  { basis, from }: { readonly basis: string; readonly from: readonly Figure[] },
): Figure & { readonly value: ExactDecimal } {
  return figureOf(value, { basis, facts: from.flatMap(({ facts }) => facts) });
}
