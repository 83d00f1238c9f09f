import { z } from 'zod';
import * as e from '../../values/enums.ts';
import { sha256 } from '../../values/primitives.ts';
import { payload } from '../payload.ts';
import { marketEnvelope } from './marketEnvelope.ts';
import { perpFactorRow, perpFactors } from './perpFactors.ts';

/** A row of factors with the two hashes it is proved by (I2.57). */
export const hashedFactorRow = z.object({
  ...perpFactorRow.shape,
  payload_sha256: sha256,
  evidence_hash: sha256,
});

/** An example of a row with its hashes. */
export const exampleHashedRow = {
  ...(perpFactors.example.data[0] as z.output<typeof perpFactorRow>),
  payload_sha256: '0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d',
  evidence_hash: '0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d0f3c4a5d6e7b8c9d',
};

export const perpCalculationHistory = payload({
  id: 'perp_calculation_history.v1',
  schema: marketEnvelope({ row: hashedFactorRow, more: { bucket_length: z.enum(e.bucketLengths) } }),
  example: {
    ...perpFactors.example,
    route: 'GET /v1/market-core/perps/calculation-history',
    data: [exampleHashedRow],
  },
  excerpt: ['data[0].product', 'data[0].observed_bucket_utc', 'data[0].factors.basis_bps'],
  // the rows are those of the factors
  stored: {},
});
