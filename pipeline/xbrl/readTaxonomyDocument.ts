import type { ConceptNames } from './conceptNames.ts';
import { type ExtendedLink, linkbaseReader } from './linkbaseReader.ts';
import { type SchemaDocument, schemaReader } from './schemaReader.ts';
import { readXml } from './xmlReader.ts';

/** A schema (perhaps with embedded linkbases) or a linkbase. */
export type TaxonomyDocument = {
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
