import type { FollowUpCall } from '../../data/contract/tools/toolResult.ts';

/** Where the data comes from (I4.MCP.15), without its age, which every call tells anew. */
export type Provenance = {
  readonly source_date: string | null;
  readonly computed_at_utc: string | null;
  readonly artifact_version: string | null;
  readonly evidence_hash: string | null;
  readonly freshness_window_hours: number | null;
};

/** What follows the age in every result of a body: the rest of the provenance, and the follow-ups with a comma. */
export function resultLead(provenance: Provenance, followUps: readonly FollowUpCall[]): string {
  return `${JSON.stringify(provenance).slice(1)},"suggested_follow_ups":${JSON.stringify(followUps)},`;
}
