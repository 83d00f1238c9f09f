import type { FilingCover, LinkRole, XbrlFiling } from '../../calculators/filing/xbrlFiling.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { boundedFiles } from './boundedFiles.ts';
import { chooseInstance } from './chooseInstance.ts';
import { conceptLabels } from './conceptLabels.ts';
import { conceptNames } from './conceptNames.ts';
import { contradictedConcepts } from './contradictedConcepts.ts';
import { declaredConcepts } from './declaredConcepts.ts';
import { effectiveArcs, presentationArcs } from './effectiveArcs.ts';
import { type FilingDefects, filingDefects } from './filingDefects.ts';
import type { FilingFiles } from './filingFolder.ts';
import { fileName } from './locatorConcept.ts';
import { presentedConcepts } from './presentedConcepts.ts';
import { readingFault } from './readingFault.ts';
import { readTaxonomy, type Taxonomy } from './readTaxonomy.ts';
import { schemaIds } from './schemaIds.ts';

/** All documents of a filing together; the largest there are stay below a fifth of it. */
const maxFilingBytes = 512 * 1024 * 1024;

/**
 * Loads a filing from its files: the company's instance, its schema, the calculation, label and presentation
 * linkbases that the schema names or embeds.
 *
 * Whatever is missing, broken or another company's is a defect of the result, never an exception; only a file system
 * that fails throws, with the system error.
 */
export async function loadFiling(input: {
  cik: string;
  accession: string;
  files: FilingFiles;
}): Promise<XbrlFiling> {
  const defects = filingDefects();
  const files = boundedFiles(input.files, maxFilingBytes);
  const names = await fileNames(files, defects);
  const chosen = await chooseInstance({ cik: input.cik, files, names, defects });
  const taxonomy = await readTaxonomy({
    files,
    names,
    schemaRefs: chosen?.instance.schemaRefs ?? null,
    linkbaseRefs: (chosen?.instance.linkbaseRefs ?? []).map(fileName),
    concepts: chosen?.names ?? conceptNames(),
    defects,
  });
  if (taxonomy.schemas.size === 0) defects.add('schema', 'the filing has no schema that can be used');
  const ids = schemaIds(taxonomy.schemas);
  const arcs = effectiveArcs({ links: taxonomy.links, schemas: ids, defects });
  if (arcs.length === 0) defects.add('calculation', 'the filing has no summation-item arc that can be used');
  const presentations = presentedConcepts(presentationArcs({ links: taxonomy.links, schemas: ids, defects }));
  if (presentations.length === 0) {
    defects.add('presentation', 'the filing has no parent-child arc that can be used');
  }
  const concepts = declaredConcepts({
    schemas: [...taxonomy.schemas.values()],
    labels: conceptLabels(taxonomy.links, ids),
    defects,
  });
  if (taxonomy.schemas.size > 0)
    contradictedConcepts({ facts: chosen?.facts ?? [], arcs, concepts, defects });
  return {
    cik: input.cik,
    accession: input.accession,
    facts: chosen?.facts ?? [],
    arcs,
    ...(areAuthored(taxonomy) ? { arcsAuthored: true } : {}),
    presentations,
    roles: linkRoles(
      taxonomy,
      arcs.map((arc) => arc.role),
    ),
    concepts,
    defects: defects.list(),
    cover: coverOf(chosen?.instance.cover ?? new Map()),
  };
}

async function fileNames(files: FilingFiles, defects: FilingDefects): Promise<readonly string[]> {
  try {
    return await files.list();
  } catch (error) {
    defects.add('instance', `the files cannot be listed: ${readingFault(error)}`, 'unusable');
    return [];
  }
}

/** One authored link is enough: what it says would pass for the filer's (M1.46). */
function areAuthored({ links }: Taxonomy): boolean {
  return links.some(({ kind, isAuthored }) => kind === 'calculation' && isAuthored);
}

function linkRoles(taxonomy: Taxonomy, used: readonly string[]): LinkRole[] {
  const roles = new Map<string, LinkRole>();
  for (const { uri, definition } of [...taxonomy.schemas.values()].flatMap((schema) => schema.roleTypes)) {
    if (!roles.has(uri)) roles.set(uri, { uri, definition });
  }
  for (const uri of used) if (!roles.has(uri)) roles.set(uri, { uri, definition: null });
  return [...roles.values()].sort((a, b) => compareText(a.uri, b.uri));
}

function coverOf(facts: ReadonlyMap<string, string>): FilingCover {
  const flag = facts.get('dei:AmendmentFlag');
  return {
    documentType: facts.get('dei:DocumentType') ?? null,
    documentPeriodEndDate: facts.get('dei:DocumentPeriodEndDate') ?? null,
    amendmentFlag: flag === 'true' ? true : flag === 'false' ? false : null,
  };
}
