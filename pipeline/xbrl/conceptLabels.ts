import type { ExtendedLink, LabelResource } from './linkbaseReader.ts';
import { fileName, locatorConcept, type SchemaIds } from './locatorConcept.ts';

const CONCEPT_LABEL = 'http://www.xbrl.org/2003/arcrole/concept-label';
const STANDARD = 'http://www.xbrl.org/2003/role/label';
const MAX_LENGTH = 1000;

/** Standard English label of each concept that the schemas at hand declare; white space is collapsed. */
export function conceptLabels(links: readonly ExtendedLink[], schemas: SchemaIds): Map<string, string> {
  const labels = new Map<string, string>();
  for (const link of links) {
    if (link.kind !== 'label') continue;
    const own = ownLocators(link, schemas);
    for (const arc of link.arcs) {
      if (arc.arcrole !== CONCEPT_LABEL || arc.use === 'prohibited') continue;
      const concepts = own.get(arc.from);
      if (concepts === undefined) continue;
      const label = (link.labels.get(arc.to) ?? []).find(isStandardEnglish);
      if (label === undefined) continue;
      const text = label.text.replace(/\s+/g, ' ').slice(0, MAX_LENGTH);
      for (const concept of concepts) if (!labels.has(concept)) labels.set(concept, text);
    }
  }
  return labels;
}

function ownLocators(link: ExtendedLink, schemas: SchemaIds): Map<string, string[]> {
  const own = new Map<string, string[]>();
  for (const [label, hrefs] of link.locators) {
    const concepts: string[] = [];
    for (const href of hrefs) {
      const hash = href.indexOf('#');
      const concept = schemas.has(fileName(href.slice(0, Math.max(hash, 0))))
        ? locatorConcept(href, schemas)
        : null;
      if (concept !== null && !concepts.includes(concept)) concepts.push(concept);
    }
    if (concepts.length > 0) own.set(label, concepts);
  }
  return own;
}

function isStandardEnglish(label: LabelResource): boolean {
  return label.role === STANDARD && (label.language === 'en' || label.language.startsWith('en-'));
}
