import type {
  ChoreographyChain,
  ChoreographyEvent,
} from '../../data/contract/payloads/issuer/filingChoreography.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { filingUrl } from '../../data/contract/values/filingUrl.ts';
import type { BusinessCalendar } from '../changes/businessCalendar.ts';
import type { Parameters } from '../parameters/parameters.ts';
import { assignChains, type FilingChain } from './assignChains.ts';
import type { Confidence } from './filingChain.ts';
import { type FilingEvent, filingEvents } from './filingEvent.ts';
import type { FilingRow } from './filingRow.ts';
import { initialOfferings } from './initialOfferings.ts';
import { lateFilings } from './lateFilings.ts';
import { mergers } from './mergers.ts';
import { privateConverts } from './privateConverts.ts';
import { shelfTakedowns } from './shelfTakedowns.ts';
import { letterReleases, staffReviews } from './staffReviews.ts';

/** An event with its place in a chain; outside every chain it stands for itself. */
export type PlacedEvent = FilingEvent & {
  readonly confidence: Confidence;
  readonly sequenceId: string | null;
  readonly step: number | null;
};

/** The filing choreography of one issuer on a day: events and chains, each in total order (M7.3). */
export type FilingChoreography = {
  readonly events: readonly PlacedEvent[];
  readonly chains: readonly FilingChain[];
};

/**
 * Events and chains of one issuer as they were known at the end of `asOf`: later filings and unreleased review letters
 * do not exist (M7.7, M10.2).
 *
 * @param rows every submissions row of the issuer at hand, in any order
 */
export function filingChoreography(
  rows: readonly FilingRow[],
  {
    asOf,
    calendar,
    parameters,
  }: {
    readonly asOf: string;
    readonly calendar: BusinessCalendar;
    readonly parameters: Pick<Parameters, 'choreography'>;
  },
): FilingChoreography {
  const { shelfTakedown, staffReview, lateFiling, initialOffering, merger } = parameters.choreography;
  const releases = letterReleases(rows, { calendar, ...staffReview });
  const known = filingEvents(rows, { releasedOn: (accession) => releases.get(accession) ?? null }).filter(
    (event) => event.knownOn <= asOf,
  );
  const chains = assignChains([
    ...shelfTakedowns(known, { calendar, ...shelfTakedown }),
    ...privateConverts(known),
    ...staffReviews(known, staffReview),
    ...lateFilings(known, lateFiling),
    ...initialOfferings(known, initialOffering),
    ...mergers(known, merger),
  ]);
  const places = new Map(
    chains.flatMap(({ sequenceId, steps }) =>
      steps.map(({ event, confidence }, i) => [event.accession, { sequenceId, step: i + 1, confidence }]),
    ),
  );
  const alone = { confidence: 'direct' as const, sequenceId: null, step: null };
  return {
    events: known.map((event) => ({ ...event, ...(places.get(event.accession) ?? alone) })),
    chains,
  };
}

/** The event as it is published (I2.37). */
export function publishedEvent(event: PlacedEvent): ChoreographyEvent {
  return {
    date: event.filed,
    form: event.form,
    label: event.label,
    family: event.family,
    accession: event.accession,
    filing_url: filingUrl(event),
    accepted_at: event.acceptedAt,
    confidence: event.confidence,
    source: 'EDGAR submissions',
    sequence_id: event.sequenceId,
    sequence_step: event.step,
  };
}

/** The chain as it is published (I2.38). */
export function publishedChain(chain: FilingChain): ChoreographyChain {
  const dates = chain.steps.map(({ event }) => event.filed).toSorted(compareText);
  return {
    sequence_id: chain.sequenceId,
    family: chain.family,
    label: chain.label,
    start_date: dates[0] ?? chain.anchor.filed,
    end_date: dates.at(-1) ?? chain.anchor.filed,
    events: chain.steps.map(({ event }) => event.accession),
    interpretation: chain.interpretation,
  };
}
