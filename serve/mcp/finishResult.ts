import { ageInUnits } from '../../data/contract/tools/ageInUnits.ts';
import type { Coding } from '../body/openBodies.ts';
import { type SplicedBody, splice } from '../body/splice.ts';
import type { RpcId } from './readFrames.ts';
import type { Provenance } from './resultLead.ts';
import type { ToolBody } from './toolBody.ts';
import { escaped, type TwinPiece } from './twinPiece.ts';

/** What one call adds to a prepared result. */
export type ResultCall = {
  readonly id: RpcId;
  /** Members that the data gets when it is sent (I4.29). */
  readonly serveTime: Readonly<Record<string, unknown>>;
  readonly provenance: Provenance;
  /** Minutes since the data was computed. */
  readonly ageMinutes: number | null;
  /** The rest of the structured content: what follows the age, the accounts of the call, and the brace after them. */
  readonly accounts: readonly (TwinPiece | string)[];
  readonly caveats: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
};

/**
 * Completes a prepared result: structured content first, then the reading text and the serialization of the structured
 * content. Both are put together from the same pieces; what no call changes is sent from where it lies, plain and quoted.
 */
export function finishResult(body: ToolBody, call: ResultCall, coding: Coding): SplicedBody {
  const added = JSON.stringify(call.serveTime).slice(1, -1);
  const told = `${added === '' ? '' : `,${added}`}},"provenance":{${JSON.stringify(ageInUnits(call.ageMinutes)).slice(1, -1)},`;
  const pieces = [told, ...call.accounts];
  return splice({
    bodies: body.bodies,
    coding,
    suffix: [
      ...pieces.map((piece) => (typeof piece === 'string' ? piece : piece.plain)),
      `,"content":[{"type":"text","text":${body.reading(call)}},{"type":"text","text":"`,
      body.escaped,
      ...pieces.map((piece) => (typeof piece === 'string' ? escaped(piece) : piece.inText)),
      `"}],"isError":false,"_meta":${JSON.stringify(call.meta)}},"id":${JSON.stringify(call.id)}}`,
    ],
  });
}
