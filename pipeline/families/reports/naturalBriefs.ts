import {
  type BriefSources,
  type IssuerSources,
  issuerSliceSources,
  sliceSources,
} from '../../../calculators/briefs/briefEvidence.ts';
import type { BriefEvidence } from '../../../calculators/briefs/compileBrief.ts';
import { covenantEvidence } from '../../../calculators/briefs/covenantEvidence.ts';
import { morningEvidence } from '../../../calculators/briefs/morningEvidence.ts';
import { topStressedEvidence } from '../../../calculators/briefs/sliceEvidence.ts';
import { type PlacedEvent, publishedEvent } from '../../../calculators/choreography/filingChoreography.ts';
import type { IssuerResult } from '../../../calculators/composeSlice.ts';
import { briefLimits, naturalBrief } from '../../../data/contract/payloads/reports/naturalBrief.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { type BriefStyle, briefStyles } from '../../../data/contract/values/enums.ts';
import { renderBriefs } from '../../briefs/renderBriefs.ts';
import { eachOrLeftOut, type MadeOrNot, orLeftOut } from '../../compute/leftOut.ts';
import { sliceStatus } from '../../history/sliceHistory.ts';
import type { Artifact } from '../../release/artifact.ts';
import { singleArtifact } from '../../release/validated.ts';
import { family } from '../family.ts';
import type { NightFacts } from '../familyContexts.ts';

const { morning, topStressed, covenant } = naturalBrief.stored;

/**
 * Every brief the interface offers, compiled in the night (M11.1): each style and number of rows of the two about the
 * slice, each style of every issuer. One that cannot be compiled or breaks a rule of I2.44 is excluded alone (M6.6c).
 */
export const naturalBriefs = family({
  id: 'natural briefs',
  needs: 'night',
  parts: [
    {
      stored: morning,
      make: (night) =>
        ofEachLimit(night, {
          name: 'morning brief',
          resource: 'morning-brief',
          evidenceOf: morningEvidence,
          stored: morning,
        }),
    },
    {
      stored: topStressed,
      make: (night) =>
        ofEachLimit(night, {
          name: 'top-stressed brief',
          resource: 'top-stressed',
          evidenceOf: topStressedEvidence,
          stored: topStressed,
        }),
    },
    {
      stored: covenant,
      make: async (night) => {
        const sources = sourcesOf(night);
        const artifacts: MadeOrNot[] = [];
        for (const result of night.slice.issuers) {
          const { cik, ticker } = result.stress;
          const brief: Brief = {
            name: `covenant brief of ${ticker}`,
            rawData: `ii://covenant-stress/${night.sourceDate}?ticker=${ticker}`,
            evidence: () => covenantEvidence(sources(), issuerSources(night, result)),
            store: (style, value) =>
              singleArtifact(covenant, { parts: { slice: night.sourceDate, cik, style }, value }),
            keyOf: (style) => covenant.key({ slice: night.sourceDate, cik, style }),
          };
          artifacts.push(...(await inEveryStyle(brief, night)));
        }
        return artifacts;
      },
    },
  ],
});

/** A brief that is to be made in every style. */
type Brief = {
  readonly name: string;
  readonly rawData: string;
  readonly evidence: () => BriefEvidence;
  readonly store: (
    style: BriefStyle,
    value: Awaited<ReturnType<ReturnType<typeof renderBriefs>>>,
  ) => Artifact;
  readonly keyOf: (style: BriefStyle) => string;
};

function inEveryStyle(brief: Brief, night: NightFacts): Promise<readonly MadeOrNot[]> {
  const { name, rawData, evidence, store, keyOf } = brief;
  return orLeftOut({ what: `the ${name}`, keys: briefStyles.map(keyOf) }, async () => {
    const render = renderBriefs(evidence(), { ...night.briefs, rawData });
    return eachOrLeftOut(
      briefStyles,
      (style) => ({ what: `the ${style} ${name}`, keys: [keyOf(style)] }),
      async (style) => [store(style, await render(style))],
    );
  });
}

/** A brief on the whole slice that is made for each number of rows. */
type SliceBrief = {
  readonly name: string;
  /** Name of what its evidence is taken from. */
  readonly resource: string;
  readonly evidenceOf: (sources: BriefSources, limit: number) => BriefEvidence;
  readonly stored: typeof morning | typeof topStressed;
};

async function ofEachLimit(
  night: NightFacts,
  { name, resource, evidenceOf, stored }: SliceBrief,
): Promise<MadeOrNot[]> {
  const slice = night.sourceDate;
  const sources = sourcesOf(night);
  const artifacts: MadeOrNot[] = [];
  for (const limit of briefLimits) {
    const brief: Brief = {
      name: `${name} of ${limit} rows`,
      rawData: `ii://${resource}/${slice}?limit=${limit}`,
      evidence: () => evidenceOf(sources(), Number(limit)),
      store: (style, value) => singleArtifact(stored, { parts: { slice, style, limit }, value }),
      keyOf: (style) => stored.key({ slice, style, limit }),
    };
    artifacts.push(...(await inEveryStyle(brief, night)));
  }
  return artifacts;
}

/** Reads the sources at the first brief that needs them; an error of reading is an error of that brief. */
function sourcesOf(night: NightFacts): () => BriefSources {
  let known: BriefSources | null = null;
  return () => {
    known ??= briefSources(night);
    return known;
  };
}

const newestFilings = 3;

/** What a night publishes, as its briefs read it. */
function briefSources(night: NightFacts): BriefSources {
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
function issuerSources({ slice, choreographies }: NightFacts, result: IssuerResult): IssuerSources {
  const events = choreographies.get(result.issuer.cik)?.events ?? [];
  return { ...issuerSliceSources(slice, result), filings: newest(events).map(publishedEvent) };
}

function newest(events: readonly PlacedEvent[]): readonly PlacedEvent[] {
  return events
    .toSorted((a, b) => compareText(b.instant, a.instant) || compareText(b.accession, a.accession))
    .slice(0, newestFilings);
}
