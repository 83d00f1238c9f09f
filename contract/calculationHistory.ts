import { z } from 'zod';
import { alphaSignals } from './alphaSignals.ts';
import { fundamentals } from './companyFundamentals.ts';
import { covenantStress } from './covenantStress.ts';
import * as e from './enums.ts';
import { peerRanking } from './peerRanking.ts';
import { cik10, count, date, datetime, sha256, ticker } from './primitives.ts';

/** One issuer and source_date with all that was calculated for it (I2.54); `source_fields` only in mode full. */
export const calculationHistoryRow = z.object({
  source_date: date,
  cik: cik10,
  ticker,
  entity_name: z.string().nullable(),
  fundamentals: fundamentals.nullable(),
  covenant_stress: covenantStress,
  peer_ranking: peerRanking.nullable(),
  alpha_signals: alphaSignals.nullable(),
  market_regime: z.enum(e.marketRegimes).nullable(),
  field_map_inputs: z.record(z.string(), z.number().nullable()),
  quality: z.object({
    quality_flag: z.enum(e.qualityFlags),
    core_tier: z.enum(e.coreTiers).nullable(),
    notes: z.array(z.string()),
  }),
  provenance: z.object({
    accession_number: z.string().nullable(),
    data_source: z.enum(e.dataSources),
    root_resolution_method: z.string().nullable(),
    computed_at_utc: datetime.nullable(),
  }),
  payload_sha256: sha256,
  evidence_hash: sha256,
  source_fields: z.record(z.string(), z.unknown()).optional(),
});

/** Core7CalculationHistoryResponse (I2.54). */
export const calculationHistory = z.object({
  payload_mode: z.enum(e.payloadModes),
  method_version: z.string(),
  data: z.array(calculationHistoryRow),
  meta: z.object({
    total: count,
    total_before_pagination: count,
    limit: count,
    offset: count,
    count,
    source_dates: z.array(date),
    filters: z.record(z.string(), z.string()),
  }),
});

export type CalculationHistoryRow = z.infer<typeof calculationHistoryRow>;
