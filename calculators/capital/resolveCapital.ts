import { compareText } from '../../data/contract/values/compareText.ts';
import type { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import type { CryptoHoldings } from '../crypto/cryptoHoldings.ts';
import { type DebtResolution, unresolvedDebt } from '../debt/debtResolution.ts';
import { type Facilities, noFacilities } from '../facilities/facility.ts';
import type { EarlierFiling, Filing } from '../filing/rows.ts';
import { statedFacts } from '../filing/statedFacts.ts';
import type { InstanceFact, Reporting, XbrlFiling } from '../filing/xbrlFiling.ts';
import type { Parameters } from '../parameters/parameters.ts';
import type { CoinMix } from '../prices/coinMix.ts';
import type { PriceBook } from '../prices/priceBook.ts';
import type { FiledCapital } from './capital.ts';
import { resolveClaimBase } from './claims/resolveClaimBase.ts';
import { resolveCoinFlows } from './coinFlows/resolveCoinFlows.ts';
import { type EarlierInstruments, withEarlierTerms } from './earlierTerms.ts';
import type { Instruments } from './instruments/instrument.ts';
import { resolveInstruments } from './instruments/resolveInstruments.ts';
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
  /** Of the statements. */
  readonly currency: string;
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

/**
 * What one filing says of its capital (M18): instruments, what falls due, preferred stock, shares, coin flows and who has
 * a claim. Nothing else of the issuer depends on it (M18.1); closes are read up to the period end.
 */
export function resolveCapital(input: CapitalInput): FiledCapital {
  const { filing, xbrl, debt, holdings, mix, facilities, prices, parameters, currency } = input;
  const { period, accession } = filing;
  const proven = debt.method === null ? null : debt.total;
  const instance = (xbrl?.facts ?? []).toSorted(inDocument);
  const terms = (xbrl?.terms ?? []).toSorted(byText);
  const facts = statedFacts(instance, parameters.concepts);
  const nil = instance.filter(({ value }) => value === null);
  const { fiscalYearStart } = input;
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
      ...{ period, currency, facts, instruments, holdings, mix, debt: proven },
      pledgedReceivable: input.pledgedReceivable,
      stocks: coinFlows.stocks,
    }),
    notes: [],
  };
}

/** One order whatever a source hands over: that of the document, else by what is said. */
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
