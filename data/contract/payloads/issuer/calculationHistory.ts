import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { cik10, date, datedListMeta, datetime, filingPage, sha256, ticker } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { history } from '../stored.ts';
import { alphaSignals } from './alphaSignals.ts';
import example from './calculationHistory.example.json' with { type: 'json' };
import { fundamentals } from './companyFundamentals.ts';
import { covenantStress } from './covenantStress.ts';
import { peerRanking } from './peerRanking.ts';

/**
 * One issuer and source_date with all that was calculated for it (I2.54). The compact form leaves the three payloads
 * and `source_fields` out; rows of older builds have null for the three.
 */
export const calculationHistoryRow = z.object({
  source_date: date,
  cik: cik10,
  ticker,
  entity_name: z.string().nullable(),
  fundamentals: fundamentals.nullable().optional(),
  covenant_stress: covenantStress.schema,
  peer_ranking: peerRanking.schema.nullable().optional(),
  alpha_signals: alphaSignals.schema.nullable().optional(),
  market_regime: z.enum(e.marketRegimes).nullable(),
  field_map_inputs: z.record(z.string(), z.number().nullable()),
  quality: z.object({
    quality_flag: z.enum(e.qualityFlags),
    core_tier: z.enum(e.coreTiers).nullable(),
    notes: z.array(z.string()),
  }),
  provenance: z.object({
    accession_number: z.string().nullable(),
    filing_url: filingPage.optional(),
    data_source: z.enum(e.dataSources),
    root_resolution_method: z.string().nullable(),
    computed_at_utc: datetime.nullable(),
  }),
  payload_sha256: sha256,
  evidence_hash: sha256,
  source_fields: z.record(z.string(), z.unknown()).optional(),
});

/** Core7CalculationHistoryResponse (I2.54). */
const schema = z.object({
  payload_mode: z.enum(e.payloadModes),
  method_version: z.string(),
  data: z.array(calculationHistoryRow),
  meta: z.object({
    ...datedListMeta,
    filters: z.record(z.string(), z.string()),
  }),
});

export type CalculationHistoryRow = z.infer<typeof calculationHistoryRow>;

export const calculationHistory = payload({
  id: 'core7_calculation_history.v1',
  schema,
  example: {
    ...example,
    data: example.data.map((row) => ({ ...row, covenant_stress: covenantStress.example })),
  } as z.output<typeof schema>,
  excerpt: ['data[0].ticker', 'data[0].covenant_stress.stress_50pct'],
  stored: {
    /** The compact form of a row, then the full one (I4.R24.2). */
    history: history({
      name: 'calc-history',
      row: calculationHistoryRow,
      forms: ['compact', 'full'],
      columns: {},
    }),
  },
});
