import { linkNamespace, xlink, xml } from './xbrlNamespaces.ts';
import { type XmlElement, type XmlHandler, xmlAttribute } from './xmlReader.ts';

export type ArcText = {
  readonly arcrole: string;
  readonly from: string;
  readonly to: string;
  readonly order: string | null;
  readonly weight: string | null;
  readonly use: string | null;
  readonly priority: string | null;
  /** any further attribute outside XLink, sorted; part of what makes arcs equivalent (XBRL 2.1 §3.5.3.9.7.4) */
  readonly further: string;
};

/** `xlink:title` of an extended link that the project wrote for a filing whose own is not available (M1.46). */
export const authoredTitle = 'issuer-intelligence: arcs authored from the face statement';

export type LabelResource = { readonly role: string; readonly language: string; readonly text: string };

/** One extended link as written: hrefs, labels and texts, nothing resolved. */
export type ExtendedLink = {
  readonly kind: 'calculation' | 'label' | 'presentation';
  readonly role: string;
  /** written by the project, not filed (M1.46) */
  readonly isAuthored: boolean;
  /** every locator of a label (M1.12) */
  readonly locators: ReadonlyMap<string, readonly string[]>;
  readonly arcs: readonly ArcText[];
  readonly labels: ReadonlyMap<string, readonly LabelResource[]>;
  /** parts that are no locator, arc or label of such a link, and text between its parts: what they were to say is lost */
  readonly strays: readonly string[];
};

type OpenLink = {
  kind: ExtendedLink['kind'];
  role: string;
  isAuthored: boolean;
  depth: number;
  locators: Map<string, string[]>;
  arcs: ArcText[];
  labels: Map<string, LabelResource[]>;
  strays: string[];
};

const kinds: ReadonlyMap<string, ExtendedLink['kind']> = new Map([
  ['calculationLink', 'calculation'],
  ['labelLink', 'label'],
  ['presentationLink', 'presentation'],
]);

/**
 * Handler that gathers the calculation, label and presentation links of a linkbase, whether it is the document itself
 * or embedded in a schema's `appinfo`; definition links are passed over. `file` is the document's own name.
 * `onPart` is called with each locator, arc and label, and may throw.
 */
export function linkbaseReader(
  file: string,
  onPart: () => void,
): XmlHandler & {
  links(): readonly ExtendedLink[];
  isLinkbase(): boolean;
  /** Where its role references point. */
  roleRefs(): readonly string[];
} {
  const links: ExtendedLink[] = [];
  const roleRefs: string[] = [];
  let isLinkbase = false;
  let link: OpenLink | null = null;
  let label: { at: string; role: string; language: string; text: string } | null = null;
  let isDocumented = false;

  function openInside(open: OpenLink, tag: XmlElement): void {
    const type = xmlAttribute(tag, 'type', xlink);
    onPart();
    isDocumented = tag.local === 'documentation';
    if (type !== typeOf(tag.local, open.kind)) {
      open.strays.push(
        `${tag.local} ${xmlAttribute(tag, 'label', xlink) ?? xmlAttribute(tag, 'to', xlink) ?? ''}`,
      );
    } else if (type === 'locator') {
      const href = xmlAttribute(tag, 'href', xlink);
      const label = xmlAttribute(tag, 'label', xlink) ?? '';
      // a bare fragment points into the document it stands in
      if (href !== null) push(open.locators, label, href.startsWith('#') ? `${file}${href}` : href);
    } else if (type === 'arc') {
      open.arcs.push(arcOf(tag));
    } else if (tag.local === 'label') {
      label = {
        at: xmlAttribute(tag, 'label', xlink) ?? '',
        role: xmlAttribute(tag, 'role', xlink) ?? 'http://www.xbrl.org/2003/role/label',
        language: xmlAttribute(tag, 'lang', xml) ?? '',
        text: '',
      };
    }
  }

  return {
    open(tag, depth) {
      if (tag.uri !== linkNamespace) return;
      if (link !== null) {
        if (depth === link.depth + 1) openInside(link, tag);
      } else if (tag.local === 'linkbase') {
        isLinkbase = true;
      } else if (tag.local === 'roleRef') {
        roleRefs.push(xmlAttribute(tag, 'href', xlink) ?? '');
      } else {
        const kind = kinds.get(tag.local);
        if (kind === undefined) return;
        const role = xmlAttribute(tag, 'role', xlink) ?? '';
        const isAuthored = xmlAttribute(tag, 'title', xlink) === authoredTitle;
        link = {
          kind,
          role,
          isAuthored,
          depth,
          locators: new Map(),
          arcs: [],
          labels: new Map(),
          strays: [],
        };
      }
    },
    text(text) {
      if (label !== null) label.text += text;
      else if (link !== null && !isDocumented && text.trim() !== '') link.strays.push(text.trim());
    },
    close(tag, depth) {
      if (link === null) return;
      if (depth === link.depth + 1) isDocumented = false;
      if (label !== null && tag.uri === linkNamespace && tag.local === 'label') {
        const { at, role, language, text } = label;
        push(link.labels, at, { role, language, text: text.trim() });
        label = null;
      } else if (depth === link.depth) {
        links.push(link);
        link = null;
      }
    },
    links: () => links,
    isLinkbase: () => isLinkbase,
    roleRefs: () => roleRefs,
  };
}

/** The XLink type that XBRL 2.1 §3.5.3 fixes for a part of a link; undefined for a part such a link has not. */
function typeOf(local: string, kind: ExtendedLink['kind']): string | null | undefined {
  if (local === 'loc') return 'locator';
  if (local === `${kind}Arc`) return 'arc';
  if (local === 'label' && kind === 'label') return 'resource';
  return local === 'documentation' ? null : undefined;
}

function arcOf(tag: XmlElement): ArcText {
  const arc = {
    arcrole: '',
    from: '',
    to: '',
    order: null,
    weight: null,
    use: null,
    priority: null,
    further: '',
  };
  const text: { -readonly [K in keyof ArcText]: ArcText[K] } = arc;
  const further: string[] = [];
  for (const name in tag.attributes) {
    const attribute = tag.attributes[name];
    if (attribute === undefined) continue;
    const { uri, local, value } = attribute;
    if (uri === '' && (local === 'order' || local === 'weight' || local === 'use' || local === 'priority')) {
      text[local] = value;
    } else if (uri === xlink) {
      if (local === 'arcrole' || local === 'from' || local === 'to') text[local] = value;
    } else if (uri !== 'http://www.w3.org/2000/xmlns/' && local !== 'id') {
      further.push(`{${uri}}${local}=${value}`);
    }
  }
  text.further = further.length === 0 ? '' : further.sort().join('\n');
  return text;
}

function push<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
