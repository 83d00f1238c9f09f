import {
  type BriefSources,
  type IssuerSources,
  issuerSliceSources,
  sliceSources,
} from '../../../calculators/briefs/briefEvidence.ts';
import { type PlacedEvent, publishedEvent } from '../../../calculators/choreography/filingChoreography.ts';
import type { IssuerResult } from '../../../calculators/composeSlice.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { sliceStatus } from '../../history/sliceHistory.ts';
import type { NightFacts } from '../familyContexts.ts';

const newestFilings = 3;

/** What a night publishes, as its briefs read it. */
export function briefSources(night: NightFacts): BriefSources {
  const { slice, sourceDate, parameters, history } = night;
  const ciks = new Set(slice.issuers.map(({ issuer }) => issuer.cik));
  return {
    sourceDate,
    sliceStatus: sliceStatus({ history, ciks, parameters }),
    universeCount: night.issuers.length,
    ...sliceSources(slice),
    changes: night.changes.payload,
    market: night.market,
    parameters,
  };
}

/** What a night publishes of one issuer, as its brief reads it. */
export function issuerSources({ slice, choreographies }: NightFacts, result: IssuerResult): IssuerSources {
  const events = choreographies.get(result.issuer.cik)?.events ?? [];
  return { ...issuerSliceSources(slice, result), filings: newest(events).map(publishedEvent) };
}

function newest(events: readonly PlacedEvent[]): readonly PlacedEvent[] {
  return events
    .toSorted((a, b) => compareText(b.instant, a.instant) || compareText(b.accession, a.accession))
    .slice(0, newestFilings);
}
