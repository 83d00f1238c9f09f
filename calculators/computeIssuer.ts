import { composeSlice, type IssuerResult } from './composeSlice.ts';
import { positionIssuer } from './position/positionIssuer.ts';
import type { IssuerInputs } from './rows.ts';
import type { SliceContext } from './sliceContext.ts';

/** The payloads of one issuer as a slice of its own: nothing is compared with others (I2.4, I2.7). */
export function computeIssuer(inputs: IssuerInputs, context: SliceContext): IssuerResult {
  const [result] = composeSlice([positionIssuer(inputs, context)], { context, history: [] }).issuers;
  if (result === undefined) throw new RangeError('a slice of one issuer has one row');
  return result;
}
