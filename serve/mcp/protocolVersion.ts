import {
  batchRevision,
  declaredRevision,
  publishedRevisions,
  supportedRevisions,
} from '../../data/contract/tools/toolProtocol.ts';

/** The revision `initialize` is answered with (I4.MCP.7). */
export function negotiatedRevision(asked: unknown): string {
  if (asked === undefined) return declaredRevision;
  if (typeof asked === 'string' && supportedRevisions.includes(asked)) return asked;
  return publishedRevisions[0];
}

/** Whether the header of a later request names a revision that is answered; none at all means an old one (I4.MCP.9). */
export function acceptsRevision(header: readonly string[] | undefined): boolean {
  return header === undefined || header.every((value) => supportedRevisions.includes(value));
}

/** The revision of a request under which batches do not exist; null where they do (I4.MCP.5). */
export function revisionWithoutBatches(header: readonly string[] | undefined): string | null {
  return header?.find((value) => value !== batchRevision) ?? null;
}
