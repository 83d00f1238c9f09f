import { z } from 'zod';
import { disclaimer } from '../../values/disclaimer.ts';
import * as e from '../../values/enums.ts';
import { count, date, datetime, sha256, ticker } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { bytes, object } from '../stored.ts';
import { riskDistribution } from '../universe/riskDistribution.ts';
import example from './dailyBrief.example.json' with { type: 'json' };

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

export const dailyBrief = payload({
  id: 'daily_brief.v1',
  schema,
  example: example as z.output<typeof schema>,
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
