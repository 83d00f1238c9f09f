import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { cik10, count, date, filingPage, pageMeta, ticker } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { rows } from '../stored.ts';
import example from './dailyChangeEvidence.example.json' with { type: 'json' };
import { evidenceRef } from './dailyChanges.ts';

/** One evidence line (I2.32, I2.33, M6.5); `index` counts over the whole list. */
export const evidenceTag = z.object({
  index: count,
  tag: z.string(),
  concept: z.string().nullable().optional(),
  tag_family: z.enum(e.tagFamilies).nullable().optional(),
});

/** A filing the lines name (I1.13a). */
export const evidenceFiling = z.object({
  accession_number: z.string(),
  filing_url: filingPage,
});

/** DailyChangeEvidenceResponse (I2.31); `issuer`, `page` and `tags` come with `ok`, `message` with `not_found`. */
const schema = z.object({
  request_key: z.literal('daily_change_evidence'),
  status: z.enum(['ok', 'not_found']),
  payload_mode: z.literal('evidence_drilldown'),
  evidence_type: z.literal('companyfacts_tags'),
  cik: z.string().nullable().optional(),
  ticker: z.string().nullable().optional(),
  source_date: date.nullable().optional(),
  message: z.string().optional(),
  issuer: z
    .object({
      cik: z.string().nullable(),
      entity_name: z.string().nullable(),
      ticker: z.string().nullable(),
      evidence_available: z.boolean(),
      raw_tag_count: count,
      source_date: date.nullable(),
    })
    .optional(),
  page: z
    .object({
      ...pageMeta.shape,
      next_tool: z.literal('intel_daily_change_evidence').optional(),
      next_args: z.record(z.string(), z.unknown()).optional(),
      evidence_ref: evidenceRef.optional(),
    })
    .optional(),
  filings: z.array(evidenceFiling).optional(),
  tags: z.array(evidenceTag).optional(),
});

export type EvidenceTag = z.infer<typeof evidenceTag>;
export type EvidenceFiling = z.infer<typeof evidenceFiling>;
export type DailyChangeEvidence = z.infer<typeof schema>;

export const dailyChangeEvidence = payload({
  id: 'daily_change_evidence.v1',
  schema,
  example: example as z.output<typeof schema>,
  excerpt: ['ticker', 'source_date', 'tags[0].concept'],
  stored: {
    /** Evidence lines of one issuer, ordered by concept, period end, accession (I2.33). */
    rows: rows({
      name: ({ slice, cik }: { readonly slice: string; readonly cik: string }) =>
        `daily-evidence/${slice}/CIK${cik}`,
      row: evidenceTag,
      meta: z.strictObject({
        cik: cik10,
        /** As in the answer: the ticker, or null for an issuer without one. */
        ticker: ticker.nullable(),
        entity_name: z.string(),
        /** Date of the delta the lines belong to. */
        source_date: date,
        /** The filings of all lines, two lists of one order; absent in releases of builds that did not link them. */
        filing_accession_numbers: z.array(z.string()).optional(),
        filing_urls: z.array(filingPage).optional(),
      }),
      columns: { tag_family: (row) => row.tag_family ?? null },
    }),
  },
});
