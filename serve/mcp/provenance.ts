import { type TwinPiece, twinPiece } from './twinPiece.ts';

/** Where the data comes from (I4.MCP.15), without its age, which every call tells anew. */
export type Provenance = {
  readonly source_date: string | null;
  readonly computed_at_utc: string | null;
  readonly artifact_version: string | null;
  readonly evidence_hash: string | null;
  readonly freshness_window_hours: number | null;
};

/** The same with what follows it in a result, prepared once for all calls. */
export type PreparedProvenance = {
  readonly members: Provenance;
  /** After the age: the rest of the object, and the comma after it. */
  readonly piece: TwinPiece;
};

/** Prepares a provenance. */
export function preparedProvenance(members: Provenance): PreparedProvenance {
  return { members, piece: twinPiece(`${JSON.stringify(members).slice(1)},`) };
}
