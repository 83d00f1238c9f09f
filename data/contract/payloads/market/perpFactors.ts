import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { sha256 } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { history, ofEachLength } from '../stored.ts';
import { marketEnvelope, withFactors } from './marketEnvelope.ts';
import { bucketRow, factorNumbers, marketInputs, marketLineage } from './marketRow.ts';
import example from './perpFactors.example.json' with { type: 'json' };

/** Factors of one product and bucket (I2.57); what follows `z_scores` only in mode full. */
export const perpFactorRow = z.object({
  ...bucketRow.shape,
  z_scores: factorNumbers,
  market_inputs: marketInputs.optional(),
  lineage: marketLineage.optional(),
  payload_sha256: sha256.optional(),
  evidence_hash: sha256.optional(),
});

export type PerpFactorRow = z.infer<typeof perpFactorRow>;

const schema = marketEnvelope({ row: perpFactorRow, more: { bucket_length: z.enum(e.bucketLengths) } });

const minuteMs = 60_000;
const dayMinutes = 1440;

export const perpFactors = payload({
  id: 'perp_factors.v1',
  schema,
  example: withFactors(example) as z.output<typeof schema>,
  excerpt: ['data[0].product', 'data[0].factors.funding_annualized', 'data[0].factors.basis_bps'],
  stored: {
    /**
     * Rows of a product by bucket, each in its compact form, its full form, and its compact form with its two hashes
     * (I4.R14.2, I4.R15.2).
     */
    ...ofEachLength((length) =>
      history({
        name: `perp-factors/${length}`,
        row: perpFactorRow,
        forms: ['compact', 'full', 'hashed'],
        columns: {
          // orders the rows of a day without reading them
          minute: (row) => (Date.parse(row.observed_bucket_utc) / minuteMs) % dayMinutes,
          status: (row) => row.quality.status,
        },
      }),
    ),
  },
});
