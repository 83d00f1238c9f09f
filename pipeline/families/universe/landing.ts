import { type LandingFigures, landing as stored } from '../../../data/contract/payloads/universe/landing.ts';
import { singleArtifact } from '../../release/validated.ts';
import { family } from '../family.ts';
import type { SliceFacts } from '../familyContexts.ts';

/** The headline figures of the landing page (I4.F18.1). */
export const landing = family({
  id: 'landing',
  needs: 'slice',
  parts: [
    {
      stored,
      make: (facts) => [
        singleArtifact(stored, { parts: { slice: facts.sourceDate }, value: landingFigures(facts) }),
      ],
    },
  ],
});

/** Issuer of the example, as long as the slice has it. */
const exampleTicker = 'MSTR';

/** What a slice says at a glance: how many issuers, how many of them critical, and the order by stress. */
export function landingFigures({
  slice: { covenantRows, topStressed, riskDistribution },
  parameters: { stressBands, referenceCovenantLtv },
}: Pick<SliceFacts, 'slice' | 'parameters'>): LandingFigures {
  const rowOf = new Map(covenantRows.map((row) => [row.cik, row]));
  const ladder = topStressed.flatMap(({ cik = '' }) => {
    const row = rowOf.get(cik);
    return row === undefined ? [] : [row];
  });
  const { live, filing } = riskDistribution;
  const isRepriced = covenantRows.some(({ uses_live_prices }) => uses_live_prices === true);
  const example = covenantRows.find(({ ticker }) => ticker === exampleTicker) ?? ladder[0] ?? covenantRows[0];
  return {
    source_date: filing.meta.source_date,
    computed_at_utc: filing.meta.computed_at_utc,
    issuer_count: filing.meta.total,
    critical: { live: isRepriced ? live.CRITICAL.count : null, filing: filing.CRITICAL.count },
    bands: { ...stressBands, covenant: referenceCovenantLtv },
    ladder: ladder.map(rungOf),
    example_ticker: example?.ticker ?? null,
  };
}

function rungOf(row: LandingFigures['ladder'][number]): LandingFigures['ladder'][number] {
  const { ticker, risk_tier, stress_30pct, stress_50pct, stress_70pct } = row;
  return {
    ticker,
    ...(row.entity_name === undefined ? {} : { entity_name: row.entity_name }),
    risk_tier,
    stress_30pct,
    stress_50pct,
    stress_70pct,
    live_risk_tier: row.live_risk_tier ?? null,
    live_stress_30pct: row.live_stress_30pct ?? null,
    live_stress_50pct: row.live_stress_50pct ?? null,
    live_stress_70pct: row.live_stress_70pct ?? null,
    ...(row.filing_age_days === undefined ? {} : { filing_age_days: row.filing_age_days }),
  };
}
