import { z } from 'zod';

const item = z.object({
  name: z.string().max(512),
  /** Text; empty for EDGAR's own index pages. */
  size: z.union([z.string().max(40), z.number()]).optional(),
});

/**
 * Schema of `Archives/edgar/data/<cik>/<accession>/index.json`. `type` of an item is the name of an icon, not a
 * document type, and is not read.
 */
export const filingIndex = z.object({
  directory: z.object({ name: z.string().max(512).optional(), item: z.array(item).max(20_000) }),
});

/** The listing of one filing's folder as EDGAR gives it. */
export type FilingIndex = z.infer<typeof filingIndex>;
