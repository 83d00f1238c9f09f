import type { ConceptNames } from './conceptNames.ts';
import { linkNamespace, xbrliNamespace, xlink, xsd } from './xbrlNamespaces.ts';
import { type ResolvePrefix, type XmlElement, type XmlHandler, xmlAttribute } from './xmlReader.ts';

/** A global element as written; QNames in the filing's prefixes. */
export type ElementDeclaration = {
  readonly concept: string;
  readonly id: string | null;
  readonly type: string | null;
  readonly substitutionGroup: string | null;
  readonly periodType: string | null;
  readonly balance: string | null;
  readonly isAbstract: boolean;
};

export type LinkbaseRef = { readonly href: string; readonly role: string | null };

/** One schema document, nothing of it followed yet. */
export type SchemaDocument = {
  readonly targetNamespace: string;
  readonly elements: readonly ElementDeclaration[];
  /** base type of each named type defined here */
  readonly derivations: ReadonlyMap<string, string>;
  readonly roleTypes: readonly { readonly uri: string; readonly definition: string | null }[];
  readonly linkbaseRefs: readonly LinkbaseRef[];
  /** `schemaLocation` of imports and includes */
  readonly schemaLocations: readonly string[];
};

type OpenElement = { -readonly [K in keyof ElementDeclaration]: ElementDeclaration[K] };

/** Handler that gathers a schema while the document is read; `result` after its end, null when the root is no schema. */
export function schemaReader({
  names,
  resolve,
}: {
  names: ConceptNames;
  resolve: ResolvePrefix;
}): XmlHandler & {
  result(): SchemaDocument | null;
} {
  let targetNamespace: string | null = null;
  let targetPrefix = '';
  const elements: ElementDeclaration[] = [];
  const derivations = new Map<string, string>();
  const roleTypes: { uri: string; definition: string | null }[] = [];
  const linkbaseRefs: LinkbaseRef[] = [];
  const schemaLocations: string[] = [];
  let element: OpenElement | null = null;
  let namedType: string | null = null;
  let role: { uri: string; definition: string | null } | null = null;
  let definition: string | null = null;

  const own = (local: string): string =>
    names.qname({ uri: targetNamespace ?? '', local, declared: targetPrefix });

  function qname(text: string | null): string | null {
    if (text === null) return null;
    const [prefix, local] = splitQName(text.trim());
    const uri = resolve(prefix) ?? '';
    return uri === '' ? null : names.qname({ uri, local, declared: prefix });
  }

  function openGlobal(tag: XmlElement): void {
    const name = xmlAttribute(tag, 'name');
    if (tag.local === 'element' && name !== null) {
      element = {
        concept: own(name),
        id: xmlAttribute(tag, 'id'),
        type: qname(xmlAttribute(tag, 'type')),
        substitutionGroup: qname(xmlAttribute(tag, 'substitutionGroup')),
        periodType: xmlAttribute(tag, 'periodType', xbrliNamespace),
        balance: xmlAttribute(tag, 'balance', xbrliNamespace),
        isAbstract: isTrue(xmlAttribute(tag, 'abstract')),
      };
    } else if ((tag.local === 'complexType' || tag.local === 'simpleType') && name !== null) {
      namedType = own(name);
    } else if (tag.local === 'import' || tag.local === 'include') {
      const location = xmlAttribute(tag, 'schemaLocation');
      if (location !== null) schemaLocations.push(location);
    }
  }

  function openDerivation(tag: XmlElement): void {
    const base = qname(xmlAttribute(tag, 'base'));
    if (base === null) return;
    // the outermost derivation decides; those of nested local types do not
    if (element !== null) element.type ??= base;
    else if (namedType !== null && !derivations.has(namedType)) derivations.set(namedType, base);
  }

  function openLink(tag: XmlElement): void {
    if (tag.local === 'roleType') {
      const uri = xmlAttribute(tag, 'roleURI');
      role = uri === null ? null : { uri, definition: null };
    } else if (tag.local === 'definition' && role !== null) {
      definition = '';
    } else if (tag.local === 'linkbaseRef') {
      const href = xmlAttribute(tag, 'href', xlink);
      if (href !== null) linkbaseRefs.push({ href, role: xmlAttribute(tag, 'role', xlink) });
    }
  }

  return {
    open(tag, depth) {
      if (depth === 1) {
        if (tag.uri !== xsd || tag.local !== 'schema') return;
        targetNamespace = xmlAttribute(tag, 'targetNamespace') ?? '';
        targetPrefix = prefixFor(tag.ns, targetNamespace);
      } else if (targetNamespace === null) {
        return;
      } else if (tag.uri === xsd) {
        if (depth === 2) openGlobal(tag);
        else if (tag.local === 'extension' || tag.local === 'restriction') openDerivation(tag);
      } else if (tag.uri === linkNamespace) {
        openLink(tag);
      }
    },
    text(text) {
      if (definition !== null) definition += text;
    },
    close(tag, depth) {
      if (tag.uri === linkNamespace && tag.local === 'definition' && role !== null && definition !== null) {
        role.definition = definition.trim();
        definition = null;
      } else if (tag.uri === linkNamespace && tag.local === 'roleType') {
        if (role !== null) roleTypes.push(role);
        role = null;
      } else if (depth === 2) {
        if (element !== null) elements.push(element);
        element = null;
        namedType = null;
      }
    },
    result: () =>
      targetNamespace === null
        ? null
        : { targetNamespace, elements, derivations, roleTypes, linkbaseRefs, schemaLocations },
  };
}

/** Prefix and local part of a lexical QName; the prefix is empty when there is none. */
export function splitQName(text: string): [prefix: string, local: string] {
  const colon = text.indexOf(':');
  return colon < 0 ? ['', text] : [text.slice(0, colon), text.slice(colon + 1)];
}

function prefixFor(ns: Readonly<Record<string, string>>, uri: string): string {
  const declared = Object.keys(ns).filter((prefix) => prefix !== '' && ns[prefix] === uri);
  return declared.sort()[0] ?? '';
}

function isTrue(text: string | null): boolean {
  return text === 'true' || text === '1';
}
