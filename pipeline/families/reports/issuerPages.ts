import { callSentence } from '../../../calculators/briefs/sharedSentences.ts';
import type { FilingChoreography } from '../../../calculators/choreography/filingChoreography.ts';
import type { IssuerResult } from '../../../calculators/composeSlice.ts';
import { reportPage } from '../../../calculators/visual/page/briefPage.ts';
import { writeReport } from '../../../calculators/visual/pdf/writeReport.ts';
import {
  type FiledDocument,
  type IssuerFacts,
  issuerReport,
} from '../../../calculators/visual/report/issuerReport.ts';
import { unrankedWords } from '../../../data/contract/meanings/untiered.ts';
import { type CapitalPayload, capital } from '../../../data/contract/payloads/issuer/capital.ts';
import type { CovenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import { companyReport } from '../../../data/contract/payloads/reports/companyReport.ts';
import { compareText } from '../../../data/contract/values/compareText.ts';
import { filingUrl } from '../../../data/contract/values/filingUrl.ts';
import { type MadeOrNot, orLeftOut } from '../../compute/leftOut.ts';
import { artifactBytes } from '../../release/artifact.ts';
import { bytesArtifact } from '../../release/validated.ts';
import { family, type MadeArtifacts } from '../family.ts';
import type { NightFacts } from '../familyContexts.ts';

const { html, pdf } = companyReport.stored;

/** The page of each issuer and the same as PDF (V57); excluded alone where one cannot be made (M6.6c). */
export const issuerPages = family({
  id: 'issuer pages',
  needs: 'night',
  parts: [
    {
      stored: [html, pdf],
      make: async (night, made) => {
        const artifacts: MadeOrNot[] = [];
        for (const result of night.slice.issuers) artifacts.push(...(await pagesOf(result, { night, made })));
        return artifacts;
      },
    },
  ],
});

type Context = { readonly night: NightFacts; readonly made: MadeArtifacts };

async function pagesOf(result: IssuerResult, context: Context): Promise<readonly MadeOrNot[]> {
  const { night } = context;
  const parts = { slice: night.sourceDate, cik: result.issuer.cik };
  const [page, paper] = [html.key(parts), pdf.key(parts)];
  return orLeftOut({ what: `the page of ${result.stress.ticker}`, keys: [page, paper] }, async () => {
    const report = issuerReport({ ...factsOf(result, night), capital: await capitalOf(result, context) });
    return [
      bytesArtifact(html, { parts, bytes: reportPage(report) }),
      ...(await orLeftOut({ what: `the PDF of ${result.stress.ticker}`, keys: [paper] }, async () => [
        bytesArtifact(pdf, { parts, bytes: await writeReport(report) }),
      ])),
    ];
  });
}

function factsOf({ issuer, stress }: IssuerResult, night: NightFacts): Omit<IssuerFacts, 'capital'> {
  const { slice, sourceDate, asOf, changes, parameters } = night;
  const { moderate, high, critical } = parameters.stressBands;
  const unranked = slice.unranked.get(issuer.cik) ?? null;
  const own = changes.own.find(({ row }) => row.cik === issuer.cik);
  const hasBaseline = typeof changes.payload.freshness_summary?.['baseline_source_date'] === 'string';
  return {
    sourceDate,
    publishedAt: asOf,
    stress,
    ranking: slice.peerRankings.find(({ cik }) => cik === issuer.cik) ?? null,
    unranked: unranked === null ? null : `It is in no ranking: ${unrankedWords[unranked]}.`,
    calls: callsOf(stress),
    filings: filingsSince(stress, night.choreographies.get(issuer.cik)),
    changedFacts: hasBaseline ? (own?.row.fact_changes ?? 0) : null,
    tierMove:
      changes.payload.risk_tier_moves === undefined
        ? undefined
        : (changes.payload.risk_tier_moves.find(({ cik }) => cik === issuer.cik) ?? null),
    bands: { moderate, high, critical, covenant: parameters.referenceCovenantLtv },
  };
}

/** The capital structure as the release holds it; null where it could not be made. */
async function capitalOf({ issuer }: IssuerResult, { night, made }: Context): Promise<CapitalPayload | null> {
  const artifact = made.get(capital.stored.object.key({ slice: night.sourceDate, cik: issuer.cik }));
  if (artifact === undefined) return null;
  return JSON.parse(new TextDecoder().decode(await artifactBytes(artifact))) as CapitalPayload;
}

function callsOf({ ticker, facilities = [] }: CovenantStress): string[] {
  return facilities
    .filter(({ is_subsequent: isSubsequent }) => !isSubsequent)
    .map((facility) => callSentence({ ...facility, ticker }));
}

/** The filing the figures rest on, then what was filed since, newest first. */
function filingsSince(stress: CovenantStress, choreography: FilingChoreography | undefined): FiledDocument[] {
  const since = (choreography?.events ?? [])
    .filter(
      ({ filed, accession }) =>
        filed > (stress.filed ?? stress.period ?? '') && accession !== stress.accession_number,
    )
    .toSorted((a, b) => compareText(b.instant, a.instant) || compareText(b.accession, a.accession));
  return [
    {
      form: stress.filing_form ?? 'filing',
      label: `balance sheet of ${stress.period ?? 'an unknown day'}`,
      filed: stress.filed ?? 'an unknown day',
      accession: stress.accession_number,
      url: stress.filing_url ?? null,
    },
    ...since.map((event) => {
      const { form, label, filed, accession } = event;
      return { form, label, filed, accession, url: filingUrl({ cik: stress.cik, accession, form }) };
    }),
  ];
}
