import { z } from 'zod';
import { figuresBases, qualityFlags } from '../../data/contract/values/enums.ts';
import { isPlaceholder } from '../../data/contract/values/filingUrl.ts';

/** What limits an answer, and what a reader should know of its figures (I4.31b). */
export type PayloadCaveats = {
  readonly qualityFlags: readonly string[];
  readonly caveats: readonly string[];
};

/** Rows of issuers are far smaller; what is larger is a history or a list, whose rows speak for themselves. */
const maxBytes = 256 * 1024;

const shown = z.object({
  accession_number: z.string().optional().catch(undefined),
  quality_flag: z.enum(qualityFlags).optional().catch(undefined),
  facts: z.record(z.string(), z.record(z.string(), z.unknown())).catch({}),
});
const row = shown.extend({
  figures_basis: z.enum(figuresBases).optional().catch(undefined),
  treasury_relevance: z.string().nullish().catch(undefined),
  arcs_authored: z.boolean().optional().catch(undefined),
  data_quality_notes: z.array(z.string()).catch([]),
  provenance: shown.optional().catch(undefined),
  quality_flags: z.array(z.string()).catch([]),
  caveats: z.array(z.string()).catch([]),
});

/**
 * Reads from the payload about one issuer what its envelope repeats: grade, basis, relevance and notes; from one about a
 * product its own flags and caveats. What the slice lacks as a whole limits every answer of it.
 *
 * @param open the stored object without its closing brace; null for an answer about no single subject
 */
export function payloadCaveats({
  open,
  sliceStatus,
}: {
  readonly open: Buffer | null;
  readonly sliceStatus: 'complete' | 'partial';
}): PayloadCaveats {
  const partial = sliceStatus === 'partial' ? ['partial_slice'] : [];
  if (open === null || open.length > maxBytes) return { qualityFlags: partial, caveats: [] };
  const found = row.parse(JSON.parse(`${open.toString('utf8')}}`));
  const { provenance, figures_basis: basis, treasury_relevance: relevance } = found;
  const quality = found.quality_flag ?? provenance?.quality_flag;
  const accession = found.accession_number ?? provenance?.accession_number;
  const facts = Object.values(provenance?.facts ?? {});
  const when = (holds: boolean, ...words: string[]) => (holds ? words : []);
  return {
    qualityFlags: [
      ...found.quality_flags,
      ...when(quality === 'Medium' || quality === 'Low', `quality_${quality?.toLowerCase()}`),
      ...when(basis !== undefined && basis !== 'resolved', `${basis}`),
      ...when(relevance === 'incidental' || relevance === 'none', `treasury_${relevance}`),
      ...when(found.arcs_authored === true, 'arcs_authored'),
      ...partial,
    ],
    caveats: [
      ...new Set([
        ...found.data_quality_notes,
        ...found.caveats,
        ...when(accession !== undefined && isPlaceholder(accession), 'accession_placeholder'),
        ...when(
          facts.some((fact) => !('decimals' in fact)),
          'decimals_not_at_hand',
        ),
      ]),
    ].sort(),
  };
}
