import { z } from 'zod';
import { disclaimer } from '../../values/disclaimer.ts';
import * as e from '../../values/enums.ts';
import { count, date, datetime, sha256, ticker } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { bytes, object } from '../stored.ts';
import { riskDistribution } from '../universe/riskDistribution.ts';

/** Longest headline and longest plain text of a brief, in characters (I4.R28.3). */
export const longestDailyBrief = { headline: 200, copyText: 12_000 } as const;

/** Rows of each board in the summary (I4.R28.3). */
export const summaryRows = 5;

const tierShares = riskDistribution.schema.omit({ meta: true });
const boardRow = z.object({ ticker, value: z.number(), label: z.string() });

/** DailyBriefResponse (I4.R28.3). */
const schema = z.object({
  brief_id: z.string(),
  title: z.string(),
  source_date: date,
  published_at: datetime,
  market_regime: z.enum(e.marketRegimes).nullable(),
  headline: z.string().max(longestDailyBrief.headline),
  html: z.string(),
  copy_text: z.string().max(longestDailyBrief.copyText),
  sections: z.array(
    z.object({
      id: z.string(),
      heading: z.string(),
      paragraphs: z.array(z.string()),
      table: z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.string())) }).nullable(),
    }),
  ),
  public_summary: z.object({
    universe_count: count,
    row_count: count,
    changed_company_count: count,
    new_company_count: count,
    other_company_count: count,
    risk_distribution: tierShares,
    risk_distribution_basis: z.enum(['filing', 'live']),
    filed_risk_distribution: tierShares,
    live_risk_distribution: tierShares.nullable(),
    top_stressed: z.array(boardRow).max(summaryRows),
    alpha_board: z.array(boardRow).max(summaryRows),
  }),
  charts: z.array(z.object({ id: z.string(), title: z.string(), alt: z.string(), svg: z.string() })),
  term_explanations: z.array(z.object({ term: z.string(), explanation: z.string() })),
  evidence_boundary: z.array(z.string()),
  caveats: z.array(z.string()),
  quality_flags: z.array(z.string()),
  disclaimer: z.literal(disclaimer),
  evidence_hash: sha256,
  evidence_hash_version: z.literal('evh-1-jcs-sha256'),
  compiler_version: z.string(),
});

export type DailyBrief = z.infer<typeof schema>;

const { meta: _, ...exampleShares } = riskDistribution.example;

export const dailyBrief = payload({
  id: 'daily_brief.v1',
  name: 'DailyBrief',
  schema,
  example: {
    brief_id: 'dbr-2026-02-07',
    title: 'Daily brief 2026-02-07',
    source_date: '2026-02-07',
    published_at: '2026-02-07T07:20:00Z',
    market_regime: 'high_synchronization_risk',
    headline: '1 of 13 issuers is in the CRITICAL tier at live prices.',
    html: '<!DOCTYPE html><html lang="en">...</html>',
    copy_text: 'Daily brief 2026-02-07\n\n1 of 13 issuers is in the CRITICAL tier at live prices.',
    sections: [
      {
        id: 'tiers',
        heading: '1 of 13 issuers is CRITICAL at live prices',
        paragraphs: ['By the filings 1 is CRITICAL.'],
        table: {
          columns: ['Tier', 'At live prices', 'Share'],
          rows: [['CRITICAL', '1', '7.7 %']],
        },
      },
    ],
    public_summary: {
      universe_count: 215,
      row_count: 13,
      changed_company_count: 4,
      new_company_count: 0,
      other_company_count: 106,
      risk_distribution: exampleShares,
      risk_distribution_basis: 'live',
      filed_risk_distribution: exampleShares,
      live_risk_distribution: exampleShares,
      top_stressed: [{ ticker: 'UPXI', value: 2.39946, label: 'CRITICAL' }],
      alpha_board: [{ ticker: 'BMNR', value: 87, label: 'strong' }],
    },
    charts: [
      {
        id: 'tier-bars',
        title: 'Issuers by risk tier, 2026-02-07',
        alt: 'CRITICAL 1 (7.7 %); HIGH 4 (30.8 %); MODERATE 0 (0.0 %); LOW 8 (61.5 %).',
        svg: '<svg role="img">...</svg>',
      },
    ],
    term_explanations: [
      { term: 'Stress', explanation: 'Debt divided by coins after a fall in their price.' },
    ],
    evidence_boundary: ['Public filings and stored prices only.'],
    caveats: [],
    quality_flags: [],
    disclaimer,
    evidence_hash: '0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d',
    evidence_hash_version: 'evh-1-jcs-sha256',
    compiler_version: 'brief-1.0',
  },
  excerpt: ['headline'],
  stored: {
    object: object({ subject: 'none', schema, key: ({ slice }) => `daily-brief/${slice}.json` }),
    html: bytes({
      subject: 'none',
      mediaType: 'text/html',
      key: ({ slice }) => `daily-brief/${slice}.html`,
    }),
    pdf: bytes({
      subject: 'none',
      mediaType: 'application/pdf',
      key: ({ slice }) => `daily-brief/${slice}.pdf`,
      fileName: ({ slice }) => `daily-brief-${slice}.pdf`,
    }),
  },
});
