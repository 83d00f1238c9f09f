import type { Choice } from './chooseInstance.ts';
import type { ConceptNames } from './conceptNames.ts';
import type { FilingDefects } from './filingDefects.ts';
import type { FilingFiles } from './filingFolder.ts';
import { type ExtendedLink, linkbaseReader } from './linkbaseReader.ts';
import { fileName, isOfTaxonomy } from './locatorConcept.ts';
import { type LinkbaseRef, type SchemaDocument, schemaReader } from './schemaReader.ts';
import { readingFault, readXml, shownText, XmlFault } from './xmlReader.ts';

const maxDocuments = 64;
/** Locators, arcs and labels of a filing together; the largest filing available has eight thousand (M1.44c). */
const maxParts = 80_000;
const roles = /\/role\/(calculation|label|presentation|definition|reference)LinkbaseRef$/;

/** The filing's own schemas by file name and every calculation, label and presentation link they reach or embed. */
export type Taxonomy = {
  readonly schemas: ReadonlyMap<string, SchemaDocument>;
  readonly links: readonly ExtendedLink[];
};

/**
 * Follows schema and linkbase references among the available files, each document once however they refer to each
 * other. Without a schema the linkbases named after it are taken (`<stem>_cal.xml`, `<stem>_lab.xml`,
 * `<stem>_pre.xml`).
 */
export async function readTaxonomy(input: {
  files: FilingFiles;
  names: readonly string[];
  /** file names the instance refers to; null without an instance */
  schemaRefs: readonly string[] | null;
  linkbaseRefs: readonly string[];
  concepts: ConceptNames;
  defects: FilingDefects;
}): Promise<Taxonomy> {
  const { defects } = input;
  const reader = documentReader(input);
  const roots = await rootSchemas({ ...input, reader });
  const schemas = await reachableSchemas(roots, { reader, defects });
  const refs = [...schemas.values()].flatMap((schema) => schema.linkbaseRefs);
  refs.push(...input.linkbaseRefs.map((href) => ({ href, role: null })));
  if (schemas.size === 0) refs.push(...refsByName(input.names, roots));
  else unnamedLinkbases({ ...input, roots, refs });
  const links = [...schemas.keys()].flatMap((file) => reader.at(file)?.links ?? []);
  const own = new Set([...schemas.keys(), ...roots]);
  for (const [file, part] of linkbaseFiles(refs)) {
    const document = await reader.read(file, part);
    if (document === null || document.schema !== null) continue;
    const foreign = foreignSchema(document, own);
    if (foreign !== null) {
      const reason = `${shownText(file)} belongs to another filing: it refers to ${shownText(foreign)}`;
      defects.add(part, reason, 'unusable');
      continue;
    }
    // sums stated where the schema promises a presentation are not the filer's calculation linkbase
    links.push(...document.links.filter(({ kind }) => part !== 'presentation' || kind === part));
  }
  if (schemas.size > 0 && refs.length + links.length === 0)
    defects.add('schema', 'the schemas neither name nor embed a linkbase', 'unusable');
  for (const { kind, strays } of links)
    for (const stray of strays) defects.count(kind, 'parts of a link that are none', shownText(stray));
  return { schemas, links };
}

/** A linkbase of this filing by its name that no document of it names: the reference to it is damaged. */
function unnamedLinkbases({
  names,
  roots,
  refs,
  defects,
}: {
  names: readonly string[];
  roots: readonly string[];
  refs: readonly LinkbaseRef[];
  defects: FilingDefects;
}): void {
  const named = new Set(refs.map(({ href }) => fileName(href.split('#')[0] ?? '')));
  for (const { href } of refsByName(names, roots))
    if (!named.has(href))
      defects.add('schema', `nothing names ${shownText(href)}, which is at hand`, 'unusable');
}

type Part = 'schema' | ExtendedLink['kind'];
type DocumentReader = {
  read(file: string, part: Part): Promise<TaxonomyDocument | null>;
  at(file: string): TaxonomyDocument | null;
};

function documentReader({
  files,
  names,
  concepts,
  defects,
}: Omit<Choice, 'cik'> & { concepts: ConceptNames }): DocumentReader {
  const documents = new Map<string, TaxonomyDocument | null>();
  let parts = 0;
  const onPart = () => {
    parts += 1;
    if (parts > maxParts)
      throw new XmlFault(`the filing has more than ${maxParts} locators, arcs and labels`);
  };
  async function load(file: string, part: Part): Promise<TaxonomyDocument | null> {
    if (documents.size >= maxDocuments) {
      defects.add(part, `more than ${maxDocuments} schemas and linkbases; the rest is not read`, 'unusable');
      return null;
    }
    if (!names.includes(file)) {
      // an instance extracted on its own has no package that could be incomplete
      const isPackage = names.some((name) => /\.xsd$|_(?:cal|lab|pre)\.xml$/.test(name));
      defects.add(part, `${shownText(file)} is missing`, isPackage ? 'incomplete' : undefined);
      return null;
    }
    try {
      const bytes = await files.read(file);
      const document = readTaxonomyDocument({ file, bytes, names: concepts, onPart });
      if (document.schema !== null || document.isLinkbase) return document;
      defects.add(part, `${shownText(file)} is neither a schema nor a linkbase`, 'unusable');
    } catch (error) {
      defects.add(part, `${shownText(file)} is not used: ${readingFault(error)}`, 'unusable');
    }
    return null;
  }
  return {
    async read(file, part) {
      const known = documents.get(file);
      if (known !== undefined) return known;
      const document = await load(file, part);
      if (documents.size < maxDocuments) documents.set(file, document);
      return document;
    },
    at: (file) => documents.get(file) ?? null,
  };
}

/** The schema of another filing that a linkbase points into; null when it points into those of this one alone. */
function foreignSchema({ links, roleRefs }: TaxonomyDocument, own: ReadonlySet<string>): string | null {
  if (own.size === 0) return null;
  const hrefs = links.flatMap(({ locators }) => [...locators.values()].flat());
  for (const href of [...roleRefs, ...hrefs]) {
    const [location = ''] = href.split('#');
    const file = fileName(location);
    if (file.endsWith('.xsd') && !own.has(file) && !isOfTaxonomy(location)) return file;
  }
  return null;
}

async function rootSchemas({
  names,
  schemaRefs,
  reader,
  defects,
}: {
  names: readonly string[];
  schemaRefs: readonly string[] | null;
  reader: DocumentReader;
  defects: FilingDefects;
}): Promise<readonly string[]> {
  if (schemaRefs !== null) return schemaRefs.map(fileName);
  const present = names.filter((name) => name.endsWith('.xsd')).slice(0, maxDocuments);
  const referred = new Set<string>();
  for (const file of present) {
    const schema = (await reader.read(file, 'schema'))?.schema;
    for (const location of schema?.schemaLocations ?? []) referred.add(fileName(location));
  }
  const roots = present.filter((file) => !referred.has(file));
  if (roots.length <= 1) return roots;
  defects.add('schema', `${roots.length} schemas and no instance that names its own; none is used`);
  return [];
}

async function reachableSchemas(
  roots: readonly string[],
  { reader, defects }: { reader: DocumentReader; defects: FilingDefects },
): Promise<Map<string, SchemaDocument>> {
  const schemas = new Map<string, SchemaDocument>();
  const queue = [...roots];
  const seen = new Set(roots);
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const document = await reader.read(file, 'schema');
    if (document === null) continue;
    const { schema } = document;
    if (schema === null) {
      defects.add('schema', `${shownText(file)} is a linkbase and no schema`, 'unusable');
      continue;
    }
    schemas.set(file, schema);
    for (const location of schema.schemaLocations) {
      const next = fileName(location);
      // imports of taxonomies that live elsewhere only map names; they are never fetched
      if (seen.has(next) || /^[a-z]+:\/\//i.test(location)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return schemas;
}

function linkbaseFiles(refs: readonly LinkbaseRef[]): Map<string, ExtendedLink['kind']> {
  const files = new Map<string, ExtendedLink['kind']>();
  const shown = new Map<string, ExtendedLink['kind']>();
  for (const { href, role } of refs) {
    const file = fileName(href.split('#')[0] ?? '');
    // a bare fragment points at a linkbase embedded in the schema itself, which is read already
    if (file === '') continue;
    const kind = roles.exec(role ?? '')?.[1] ?? kindByName(file);
    if (kind === 'calculation' || kind === 'label') files.set(file, kind);
    else if (kind === 'presentation') shown.set(file, kind);
  }
  // the limits of a filing are to stop these before any of the others
  for (const [file, kind] of shown) if (!files.has(file)) files.set(file, kind);
  return files;
}

function kindByName(file: string): string {
  if (file.endsWith('_pre.xml')) return 'presentation';
  return /_(?:def|ref)\.xml$/.test(file) ? 'other' : 'calculation';
}

function refsByName(names: readonly string[], roots: readonly string[]): LinkbaseRef[] {
  const stems = roots.map((file) => file.replace(/\.xsd$/, ''));
  const calculations = names.filter((name) => name.endsWith('_cal.xml'));
  const only = calculations.length === 1 ? [(calculations[0] ?? '').replace(/_cal\.xml$/, '')] : [];
  return (stems.length > 0 ? stems : only).flatMap((stem) =>
    (['calculation', 'label', 'presentation'] as const)
      .map((kind) => ({ href: `${stem}_${kind.slice(0, 3)}.xml`, role: `/role/${kind}LinkbaseRef` }))
      .filter(({ href }) => names.includes(href)),
  );
}

/** A schema (perhaps with embedded linkbases) or a linkbase. */
type TaxonomyDocument = {
  readonly schema: SchemaDocument | null;
  readonly isLinkbase: boolean;
  readonly links: readonly ExtendedLink[];
  readonly roleRefs: readonly string[];
};

/** Reads a schema or linkbase in one pass; throws XmlFault when the document cannot be read. */
export function readTaxonomyDocument({
  file,
  bytes,
  names,
  onPart = () => undefined,
}: {
  file: string;
  bytes: Uint8Array;
  names: ConceptNames;
  /** Told of each locator, arc and label; may throw. */
  onPart?: () => void;
}): TaxonomyDocument {
  const linkbase = linkbaseReader(file, onPart);
  let result: () => SchemaDocument | null = () => null;
  readXml({
    bytes,
    handler: (resolve) => {
      const schema = schemaReader({ names, resolve });
      result = schema.result;
      return {
        open(tag, depth) {
          schema.open(tag, depth);
          linkbase.open(tag, depth);
        },
        text(text) {
          schema.text(text);
          linkbase.text(text);
        },
        close(tag, depth) {
          schema.close(tag, depth);
          linkbase.close(tag, depth);
        },
      };
    },
  });
  return {
    schema: result(),
    isLinkbase: linkbase.isLinkbase(),
    links: linkbase.links(),
    roleRefs: linkbase.roleRefs(),
  };
}
