import { compareText } from '../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { CryptoHoldings } from '../crypto/cryptoHoldings.ts';
import { agreedValue, type StatedFact, statedFacts } from '../crypto/statedFacts.ts';
import { type DebtResolution, unresolvedDebt } from '../debt/debtResolution.ts';
import { sumOf } from '../exact/sumOf.ts';
import { type Facilities, noFacilities } from '../facilities/facility.ts';
import type { EarlierFiling, Filing } from '../filing/rows.ts';
import type { InstanceFact, Reporting, XbrlFiling } from '../filing/xbrlFiling.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { CoinMix } from '../prices/coinMix.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { FiledCapital } from './capital.ts';
import { resolveClaimBase } from './claims/resolveClaimBase.ts';
import { resolveCoinFlows } from './coinFlows/resolveCoinFlows.ts';
import { type EarlierInstruments, withEarlierTerms } from './earlierTerms.ts';
import type { Instruments } from './instruments/instrument.ts';
import { reportingCurrency, resolveInstruments } from './instruments/resolveInstruments.ts';
import { wholeInstants } from './maturities/ladderTotal.ts';
import { resolveMaturities } from './maturities/resolveMaturities.ts';
import { resolvePreferred } from './preferred/resolvePreferred.ts';
import { filedRunway } from './runway/filedRunway.ts';
import { filedSplits } from './shares/filedSplits.ts';
import { resolveShares } from './shares/resolveShares.ts';
import { factIndex } from './shares/statedFigure.ts';

export type CapitalInput = {
  readonly filing: Filing;
  /** null when the instance is not available. */
  readonly xbrl: XbrlFiling | null;
  /** Newest first. */
  readonly earlier?: readonly EarlierFiling[];
  readonly reporting: Pick<Reporting, 'fiscalYearEnd'>;
  readonly fiscalYearStart: string | null;
  readonly debt: DebtResolution;
  readonly holdings: CryptoHoldings;
  /** Pledged coins that stand as a receivable (M2.1b). */
  readonly pledgedReceivable: ExactDecimal;
  readonly mix: CoinMix;
  readonly facilities: Facilities;
  readonly prices: PriceBook;
  readonly parameters: Parameters;
};

/** The currency of D, C and every price. */
const dollars = 'USD';

/**
 * What one filing says of its capital (M18): instruments, what falls due, preferred stock, shares, coin flows and who has
 * a claim. Nothing else of the issuer depends on it (M18.1); closes are read up to the period end.
 */
export function resolveCapital(input: CapitalInput): FiledCapital {
  const { filing, xbrl, holdings, mix, facilities, prices, parameters } = input;
  const { period, accession } = filing;
  const instance = (xbrl?.facts ?? []).toSorted(inDocument);
  const terms = (xbrl?.terms ?? []).toSorted(byText);
  const facts = statedFacts(instance, parameters.concepts);
  const nil = instance.filter(({ value }) => value === null);
  const { fiscalYearStart } = input;
  const currency = reportingCurrency(facts, period) ?? dollars;
  const { debt } = input;
  const proven = debtIn(currency, { debt, facts, period });
  const own = resolveInstruments({
    ...{ filing, facts, nil, terms, debt, facilities, fiscalYearStart, parameters },
  });
  const instruments = withEarlierTerms(own, {
    ...{ facts, period },
    earlier: lacksTerms(own) ? earlierInstruments(input) : [],
    splits: filedSplits(factIndex(facts), terms),
  });
  const preferred = resolvePreferred({ period, facts, currency });
  const coinFlows = resolveCoinFlows({
    ...{ filing, facts, instance, holdings, mix, facilities, prices, parameters },
  });
  return {
    period,
    accession,
    absent: xbrl === null ? 'no_instance' : null,
    instruments,
    maturities: resolveMaturities({
      ...{ period, currency, facts, nil, instruments, debt: proven },
      fiscalYearEnd: input.reporting.fiscalYearEnd,
    }),
    preferred,
    shares: resolveShares({ filing, facts, terms, instruments, preferred }),
    coinFlows,
    runway: filedRunway({ filing, facts, debt, arcs: xbrl?.arcs ?? [] }),
    claimBase: resolveClaimBase({
      ...{ period, currency, facts, instruments, holdings, mix },
      // coins in dollars are no pool for claims in another currency
      debt: currency === dollars || holdings.measurement === null ? proven : null,
      pledgedReceivable: input.pledgedReceivable,
      stocks: coinFlows.stocks,
    }),
    notes: [],
  };
}

/** D in the currency of the statements: its lines as filed in it, where D was read from a translation (M1.7d). */
function debtIn(
  currency: string,
  {
    debt: { method, total, roots },
    facts,
    period,
  }: {
    readonly debt: DebtResolution;
    readonly facts: readonly StatedFact[];
    readonly period: string;
  },
): ExactDecimal | null {
  if (method === null || currency === dollars) return method === null ? null : total;
  const lines = roots
    .filter(({ weight, value }) => weight === 1 && value.sign > 0)
    .map(({ concept }) =>
      agreedValue(wholeInstants(facts, { period, currency }).filter((fact) => fact.concept === concept)),
    );
  return lines.includes(null) ? null : sumOf(lines.filter((line) => line !== null));
}

/** One order for any source: that of the document, else by what is said. */
function inDocument(a: InstanceFact, b: InstanceFact): number {
  const last = Number.MAX_SAFE_INTEGER;
  return (a.position ?? last) - (b.position ?? last) || byText(a, b);
}

type Said = Pick<InstanceFact, 'concept' | 'start' | 'end' | 'contextId'> & {
  readonly value: unknown;
  readonly unit?: string;
};

function byText(a: Said, b: Said): number {
  return (
    compareText(a.concept, b.concept) ||
    compareText(a.end, b.end) ||
    compareText(a.start ?? '', b.start ?? '') ||
    compareText(a.contextId, b.contextId) ||
    compareText(a.unit ?? '', b.unit ?? '') ||
    compareText(String(a.value), String(b.value))
  );
}

/** True where an outstanding note does not state a term that it keeps for life. */
function lacksTerms({ found }: Instruments): boolean {
  return found.some(
    ({ state, members, couponRate, maturityDate, kind, conversionPrice }) =>
      state === 'outstanding' &&
      members.length > 0 &&
      (couponRate.value === null ||
        maturityDate.value === null ||
        (kind === 'convertible_note' && conversionPrice.value === null)),
  );
}

/** The notes of earlier filings, by their own facts alone: no debt is judged there and nothing is summed. */
function earlierInstruments({
  earlier = [],
  filing,
  parameters,
}: CapitalInput): readonly EarlierInstruments[] {
  return earlier.map(({ accession, period, facts: instance, terms }) => {
    const facts = statedFacts(instance, parameters.concepts);
    const instruments = resolveInstruments({
      filing: { period, filed: filing.filed },
      ...{ facts, terms, debt: unresolvedDebt, facilities: noFacilities, fiscalYearStart: null, parameters },
    });
    return { accession, period, instruments, facts };
  });
}
