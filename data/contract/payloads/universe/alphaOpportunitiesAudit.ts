import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { cik10, count, date, int, rank, score, ticker } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { object, rows } from '../stored.ts';
import example from './alphaOpportunitiesAudit.example.json' with { type: 'json' };

/** One issuer of the audit: where it stands raw, where on the board, and which gate kept it away (I2.16). */
export const alphaAuditRow = z.object({
  ticker,
  cik: cik10,
  entity_name: z.string(),
  issuer_type: z.enum(e.issuerTypes),
  alpha_score: score,
  raw_rank: rank,
  board_rank: rank.nullable(),
  rank_delta: int.nullable(),
  failed_gate: z.enum(e.boardGates).nullable(),
});

/**
 * The stored part of AlphaOpportunitiesAuditResponse: everything but samples and rows, one object for each value
 * of `issuer_type` and `default` (I4.R07.2).
 */
const alphaOpportunitiesAuditArtifact = z.object({
  source_date: date.nullable(),
  default_filter: z.object({
    excluded_issuer_types: z.array(z.enum(e.issuerTypes)),
    excludes_unresolved_identity: z.boolean(),
  }),
  issuer_type_summary: z.partialRecord(z.enum(e.issuerTypes), count),
  identity_summary: z.object({
    total_rows: count,
    publishable_rows: count,
    with_ticker: count,
    without_ticker: count,
    cik_duplicates: count,
    default_issuer_type_excluded: count,
  }),
  quality_gate_summary: z.partialRecord(z.enum(e.boardGates), count),
  rank_delta_summary: z.object({ rows_with_demotion: count, max_rank_delta: count }),
  recommended_drilldowns: z.array(
    z.object({ reason: z.string(), route: z.string(), args: z.record(z.string(), z.unknown()) }),
  ),
  caveats: z.array(z.string()),
  market_regime: z.enum(e.alphaRegimes).optional(),
  tower_status: z.enum(e.towerStatuses).optional(),
  tower_coherence: z.number().min(0).max(1).nullable().optional(),
});

/** AlphaOpportunitiesAuditResponse (I2.15). */
const schema = alphaOpportunitiesAuditArtifact.extend({
  excluded_from_default_sample: z.array(alphaAuditRow),
  demoted_rows_sample: z.array(alphaAuditRow),
  top_raw_alpha_sample: z.array(alphaAuditRow),
  top_board_rank_sample: z.array(alphaAuditRow),
  rows: z.array(alphaAuditRow).optional(),
});

export type AlphaAuditRow = z.infer<typeof alphaAuditRow>;
export type AlphaOpportunitiesAuditArtifact = z.infer<typeof alphaOpportunitiesAuditArtifact>;

export const alphaOpportunitiesAudit = payload({
  id: 'alpha_opportunities_audit.v1',
  schema,
  example: example as z.output<typeof schema>,
  excerpt: ['excluded_from_default_sample[0].ticker', 'excluded_from_default_sample[0].failed_gate'],
  stored: {
    /** Variants are the values of `issuer_type`, the plain one is the default view. */
    object: object({
      subject: 'none',
      schema: alphaOpportunitiesAuditArtifact,
      key: ({ slice, variant }) => `alpha-board-audit/${slice}/${variant || 'default'}.json`,
    }),
    /** Every issuer with a score, in raw order (M5.19). */
    rows: rows({
      name: ({ slice }) => `alpha-board-audit/${slice}`,
      row: alphaAuditRow,
      columns: {
        cik: (row) => row.cik,
        ticker: (row) => row.ticker,
        issuer_type: (row) => row.issuer_type,
        raw_rank: (row) => row.raw_rank,
        board_rank: (row) => row.board_rank,
        rank_delta: (row) => row.rank_delta,
        failed_gate: (row) => row.failed_gate,
      },
    }),
  },
});
