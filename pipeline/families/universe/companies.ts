import { companyReport } from '../../../data/contract/payloads/reports/companyReport.ts';
import { reportVariant } from '../../../data/contract/payloads/reports/reportLegs.ts';
import {
  registrants as outsidePayload,
  companyRows as rows,
} from '../../../data/contract/payloads/universe/companies.ts';
import { liveRoutes } from '../../../data/contract/routes/routes.ts';
import { cikPattern, tickerPattern } from '../../../data/contract/values/primitives.ts';
import { companyRows } from '../../compute/companyRows.ts';
import type { Artifact } from '../../release/artifact.ts';
import { rowStore } from '../../release/rowStore.ts';
import { singleArtifact } from '../../release/validated.ts';
import { family, type MadeArtifacts } from '../family.ts';
import type { NightFacts, SliceFacts } from '../familyContexts.ts';

/** The universe with its coverage (I4.F08.2). */
export const companies = family({
  id: 'companies',
  needs: 'slice',
  parts: [
    {
      stored: rows,
      make: (facts, made) =>
        rowStore({
          store: rows,
          parts: { slice: facts.sourceDate },
          rows: rowsOf(facts, made),
          meta: {},
        }),
    },
  ],
});

function rowsOf({ sourceDate, slice, issuers, history }: SliceFacts, made: MadeArtifacts) {
  const lastSourceDates = new Map<string, string>();
  for (const past of history) for (const cik of past.ciks) lastSourceDates.set(cik, past.sourceDate);
  const covered = new Map(
    slice.issuers.map(({ issuer, stress, assessed }) => [
      issuer.cik,
      {
        period: assessed.position.filing.period,
        filing_age_days: assessed.position.ageDays,
        quality_flag: stress.quality_flag,
        treasury_relevance: stress.treasury_relevance ?? null,
      },
    ]),
  );
  const unranked = new Set(slice.unranked.keys());
  const prices = new Map(
    slice.issuers.flatMap(({ issuer: { cik } }) => {
      const report = made.get(companyReport.stored.object.key({ slice: sourceDate, cik, variant: usual }));
      return report === undefined || 'standing' in report ? [] : [[cik, statedPrice(report)]];
    }),
  );
  return companyRows({
    issuers,
    covered,
    unranked,
    reportPrices: prices,
    sourceDate,
    lastSourceDates,
    routes: liveRoutes,
  });
}

const usual = reportVariant({ outputMode: 'compact', segments: false, relatedParty: false });

// the report itself says what it costs, here as in its 402 (I4.R29.4)
function statedPrice({ bytes }: Artifact): number {
  const { data } = companyReport.stored.object.schema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  return data.depth.price_usd;
}

/** Registrants outside the universe (I7.6); none where the inputs name none. */
export const registrants = family({
  id: 'registrants',
  needs: 'night',
  parts: [
    {
      stored: outsidePayload,
      make: (night) => {
        const outside = outsideOf(night);
        if (outside.length === 0) return [];
        const value = { source_date: night.sourceDate, registrants: outside };
        return [singleArtifact(outsidePayload, { parts: { slice: night.sourceDate }, value })];
      },
    },
  ],
});

// what cannot be asked for (a CIK or ticker of another form) would only stop the night
function outsideOf({ issuers, registrants: known }: NightFacts) {
  const universe = new Set(issuers.map(({ cik }) => cik));
  return known
    .filter(({ cik }) => cikPattern.test(cik) && !universe.has(cik))
    .map(({ cik, name, tickers }) => ({
      cik,
      name,
      tickers: tickers.filter((ticker) => tickerPattern.test(ticker)),
    }));
}
