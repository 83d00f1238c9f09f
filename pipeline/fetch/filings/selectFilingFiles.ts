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

/** What an XBRL document of a filing is. */
export type FilingFileKind = 'instance' | 'schema' | 'linkbase';

/** A file to fetch; `size` in bytes as listed, null where the index does not say. */
export type FilingFile = {
  readonly name: string;
  readonly kind: FilingFileKind;
  readonly size: number | null;
};

/** What a filing's index offers. `missing` names the kinds it lacks although it has XBRL. */
export type FilingSelection =
  | {
      readonly kind: 'xbrl';
      readonly files: readonly FilingFile[];
      readonly missing: readonly ('instance' | 'schema')[];
    }
  | { readonly kind: 'without_xbrl' }
  | { readonly kind: 'refused'; readonly reason: string };

/** The letters and digits EDGAR allows in attachment names, up to what it makes of them itself. */
const safeName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
/** EDGAR Filer Manual 6.3.3: `{base}-{date}.xml`. */
const classicInstance = /-\d{8}\.xml$/i;
const linkbaseName = /_(cal|def|lab|pre|ref)\.xml$/i;
const wantedLinkbase = /_(cal|lab|pre)\.xml$/i;
const renderedReport = /^(R\d+|FilingSummary|defnref|primary_doc)\.xml$/i;

/** Most files taken from one filing; a complete set is five. */
export const maxFilingFiles = 24;

/**
 * Chooses the XBRL documents of a filing: the extracted instance of an inline filing (`*_htm.xml`) or else the
 * classic instance, the extension schema, and the calculation, label and presentation linkbases (definition
 * linkbases and rendered `R*.xml` are not needed). A schema may embed the linkbases, so none need be listed.
 *
 * Refuses an index with a name that is not a plain file name, or with more XBRL files than a filing has.
 */
export function selectFilingFiles(
  index: FilingIndex,
  { maxFiles }: { maxFiles?: number } = {},
): FilingSelection {
  const listed = new Map<string, number | null>();
  const folded = new Map<string, string>();
  for (const { name, size } of index.directory.item) {
    const wrong = nameFault(name);
    if (wrong !== null) return refused(`lists ${quote(name)}, which ${wrong}`);
    if (!safeName.test(name)) continue;
    const twin = folded.get(name.toLowerCase());
    if (twin !== undefined && twin !== name) {
      return refused(`lists ${quote(twin)} and ${quote(name)}, which differ in case only`);
    }
    folded.set(name.toLowerCase(), name);
    listed.set(name, byteSize(size));
  }
  const names = [...listed.keys()].sort();
  const schemas = names.filter((name) => /\.xsd$/i.test(name));
  const instances = instanceNames(names, schemas);
  if (instances.length === 0 && schemas.length === 0) return { kind: 'without_xbrl' };
  const kinds: readonly [FilingFileKind, readonly string[]][] = [
    ['schema', schemas],
    ['linkbase', names.filter((name) => wantedLinkbase.test(name))],
    ['instance', instances],
  ];
  const files = kinds.flatMap(([kind, of]) =>
    of.map((name): FilingFile => ({ name, kind, size: listed.get(name) ?? null })),
  );
  if (files.length > (maxFiles ?? maxFilingFiles)) {
    return refused(`lists ${files.length} XBRL files, more than any filing has`);
  }
  const missing: ('instance' | 'schema')[] = [];
  if (instances.length === 0) missing.push('instance');
  if (schemas.length === 0) missing.push('schema');
  return { kind: 'xbrl', files, missing };
}

function instanceNames(names: readonly string[], schemas: readonly string[]): string[] {
  const inline = names.filter((name) => /_htm\.xml$/i.test(name));
  // a classic instance always comes with its schema; without one a dated .xml is some other exhibit
  if (inline.length > 0 || schemas.length === 0) return inline;
  const stems = new Set(schemas.map((name) => name.slice(0, -4).toLowerCase()));
  const others = names.filter(
    (name) => /\.xml$/i.test(name) && !linkbaseName.test(name) && !renderedReport.test(name),
  );
  const named = others.filter((name) => stems.has(name.slice(0, -4).toLowerCase()));
  // the date of the instance may differ from that of the schema
  return named.length > 0 ? named : others.filter((name) => classicInstance.test(name));
}

/** What makes a listed name dangerous, or null; an odd name of a file that is not wanted is not. */
function nameFault(name: string): string | null {
  if (/[/\\:%\0-\x1f\x7f]/.test(name) || name === '' || name.startsWith('.')) {
    return 'is not a plain file name';
  }
  return /\.(xml|xsd)$/i.test(name) && !safeName.test(name) ? 'is not a file name EDGAR accepts' : null;
}

function byteSize(size: string | number | undefined): number | null {
  return /^\d{1,15}$/.test(String(size ?? '')) ? Number(size) : null;
}

function refused(what: string): FilingSelection {
  return { kind: 'refused', reason: `The index ${what}.` };
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 80));
}
