import type { AccessRequest } from './accessDecision.ts';

/** What every receipt says of the request and of the answer it is for, whatever pays for it (I5.48). */
export function receiptOfRequest(
  { servable, requestId, fingerprint }: AccessRequest,
  { ulid, nowMs }: { readonly ulid: () => string; readonly nowMs: number },
) {
  return {
    receiptId: `rcpt_${ulid()}`,
    responseId: `resp_${ulid()}`,
    requestId,
    routeId: servable.route.id,
    routeUri: servable.routeUri,
    tool: servable.tool,
    fingerprint,
    artifactKey: servable.artifactKey,
    artifactVersion: servable.artifactVersion,
    sourceDate: servable.sourceDate,
    qualityFlags: [],
    actor: 'handler',
    createdMs: nowMs,
  } as const;
}
