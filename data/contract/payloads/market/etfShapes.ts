import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { date, datetime, sha256 } from '../../values/primitives.ts';
import { factorNumbers, marketInputs, marketQuality } from './marketRow.ts';

// shapes that the pressure read, its audit, thresholds and export share (I2.62–I2.66)

const number = z.number().nullable();

/** PressureState (I2.62). */
export const pressureState = z.object({
  headline: z.string(),
  market_state: z.enum(e.marketStates),
  direction: z.enum(e.crowdingDirections),
  pressure: number,
  group_scores: z.object({ carry: number, positioning: number, market: number }),
  factor_values: factorNumbers,
  quality: z.object({ status: z.enum(e.marketRowStatuses), flags: z.array(z.string()) }),
  warnings: z.array(z.string()),
  spectra_read: z.string().optional(),
});

export const identityLineage = z.object({
  canonical_name: z.string(),
  aliases: z.array(z.string()),
  methodology_changed: z.boolean(),
  method_version: z.string(),
});

/** One bucket of the comparison (I2.64). */
export const auditBucket = z.object({
  status: z.enum(e.bucketStatuses),
  bucket_utc: datetime.nullable(),
  factors: factorNumbers,
  deltas: factorNumbers,
  market_inputs: marketInputs,
  quality: marketQuality.partial(),
  evidence_hash: sha256.nullable(),
});

const thresholdRow = z.object({
  threshold_id: z.string(),
  metric: z.string(),
  operator: z.enum(e.thresholdOperators),
  threshold: z.number(),
  unit: z.string(),
});

export const thresholdContract = z.object({ version: z.string(), rows: z.array(thresholdRow) });

export const thresholdFlag = z.object({
  ...thresholdRow.shape,
  observed: number,
  result: z.enum(e.thresholdResults),
  evidence_ref: z.string().nullable(),
});

export const canonicalEvent = z.object({
  canonical_event_status: z.enum(e.canonicalEventStatuses),
  type: z.string().nullable(),
  linked_state: z.string().nullable(),
  reason: z.string(),
  boundary: z.string(),
  blockers: z.array(z.string()),
});

export const eventClassification = z.object({ canonical_confirmed: z.boolean() });

const level = z.object({
  status: z.enum(e.levelStatuses),
  reason: z.string().nullable(),
  meaning: z.string(),
});

export const fourLevelCoverage = z.object({
  levels: z.object({
    level_1_issuer_truth: level,
    level_2_public_market: level,
    level_3_basket_pressure: level,
    level_4_perp_dislocation: level,
  }),
  level_summary: z.string(),
  boundary: z.string(),
});

export const pressureAttribution = z.object({
  pressure_unrounded: number,
  rows: z.array(z.object({ factor: z.string(), contribution: z.number() })),
});

export const contributions = z.object({
  status: z.enum(e.contributionStatuses),
  basis: z.enum(e.contributionBases),
  rows: z.array(
    z.object({
      ticker: z.string().nullable(),
      name: z.string(),
      weight: number,
      contribution: number,
      leave_one_out: number,
    }),
  ),
  tracking_residual: number,
  max_leave_one_out: number,
  flags: z.array(z.string()),
});

const question = z.enum(e.questionStates);

export const questionReadiness = z.object({
  current_state: question,
  drivers: question,
  canonical_event: question,
  seven_day_history: question,
  constituent_attribution: question,
  presentation_parity: question,
  further_analysis: question,
  publication_safety: question,
});

export const auditProvenance = z.object({
  source_date: date,
  computed_at_utc: datetime,
  artifact_keys: z.array(z.string()),
  evidence_hash: sha256,
  evidence_hash_version: z.string(),
});
