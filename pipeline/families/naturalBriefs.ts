import { covenantEvidence } from '../../calculators/briefs/covenantEvidence.ts';
import { morningEvidence } from '../../calculators/briefs/morningEvidence.ts';
import { topStressedEvidence } from '../../calculators/briefs/topStressedEvidence.ts';
import { briefLimits, naturalBrief } from '../../contract/payloads/naturalBrief.ts';
import { briefSources, issuerSources } from '../briefs/briefSources.ts';
import { renderBriefs } from '../briefs/renderBriefs.ts';
import { singleArtifact } from '../compute/singleArtifact.ts';
import type { Artifact } from '../release/artifact.ts';
import { family } from './family.ts';

const { morning, topStressed, covenant } = naturalBrief.stored;

/**
 * Every brief the interface offers, compiled in the night (M11.1): each style and number of rows of the two about the
 * slice, each style of every issuer. A text that breaks a rule of I2.44 stops the release as it is made.
 */
export const naturalBriefs = family({
  id: 'natural briefs',
  needs: 'night',
  parts: [
    {
      stored: morning,
      make: (night) => {
        const sources = briefSources(night);
        return ofEachLimit(async (limit) => {
          const rawData = `ii://morning-brief/${night.sourceDate}?limit=${limit}`;
          const evidence = morningEvidence(sources, Number(limit));
          const briefs = await renderBriefs(evidence, { ...night.briefs, rawData });
          return briefs.map(({ style, value }) =>
            singleArtifact(morning, { parts: { slice: night.sourceDate, style, limit }, value }),
          );
        });
      },
    },
    {
      stored: topStressed,
      make: (night) => {
        const sources = briefSources(night);
        return ofEachLimit(async (limit) => {
          const rawData = `ii://top-stressed/${night.sourceDate}?limit=${limit}`;
          const evidence = topStressedEvidence(sources, Number(limit));
          const briefs = await renderBriefs(evidence, { ...night.briefs, rawData });
          return briefs.map(({ style, value }) =>
            singleArtifact(topStressed, { parts: { slice: night.sourceDate, style, limit }, value }),
          );
        });
      },
    },
    {
      stored: covenant,
      make: async (night) => {
        const sources = briefSources(night);
        const artifacts: Artifact[] = [];
        for (const result of night.slice.issuers) {
          const { cik, ticker } = result.stress;
          const rawData = `ii://covenant-stress/${night.sourceDate}?ticker=${ticker}`;
          const evidence = covenantEvidence(sources, issuerSources(night, result));
          for (const { style, value } of await renderBriefs(evidence, { ...night.briefs, rawData }))
            artifacts.push(
              singleArtifact(covenant, { parts: { slice: night.sourceDate, cik, style }, value }),
            );
        }
        return artifacts;
      },
    },
  ],
});

async function ofEachLimit(
  make: (limit: (typeof briefLimits)[number]) => Promise<readonly Artifact[]>,
): Promise<Artifact[]> {
  const artifacts: Artifact[] = [];
  for (const limit of briefLimits) artifacts.push(...(await make(limit)));
  return artifacts;
}
