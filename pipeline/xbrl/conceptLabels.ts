import type { ExtendedLink, LabelResource } from './linkbaseReader.ts';
import { fileName, locatorConcept, type SchemaIds } from './locatorConcept.ts';

const conceptLabel = 'http://www.xbrl.org/2003/arcrole/concept-label';
const standardRole = 'http://www.xbrl.org/2003/role/label';
const maxLength = 1000;

/** Standard English label of each concept that the schemas at hand declare; white space is collapsed. */
export function conceptLabels(links: readonly ExtendedLink[], schemas: SchemaIds): Map<string, string> {
  const labels = new Map<string, string>();
  for (const link of links) {
    if (link.kind !== 'label') continue;
    const own = ownLocators(link, schemas);
    const texts = standardTexts(link);
    for (const arc of link.arcs) {
      const text = texts.get(arc.to);
      if (arc.arcrole !== conceptLabel || arc.use === 'prohibited' || text === undefined) continue;
      for (const concept of own.get(arc.from) ?? []) if (!labels.has(concept)) labels.set(concept, text);
      // the concepts have their label now; further arcs of the locators bring none
      own.delete(arc.from);
    }
  }
  return labels;
}

function standardTexts(link: ExtendedLink): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [label, resources] of link.labels) {
    const standard = resources.find(isStandardEnglish);
    if (standard !== undefined) texts.set(label, standard.text.replace(/\s+/g, ' ').slice(0, maxLength));
  }
  return texts;
}

function ownLocators(link: ExtendedLink, schemas: SchemaIds): Map<string, ReadonlySet<string>> {
  const own = new Map<string, ReadonlySet<string>>();
  for (const [label, hrefs] of link.locators) {
    const concepts = new Set<string>();
    for (const href of hrefs) {
      const hash = href.indexOf('#');
      const concept = schemas.has(fileName(href.slice(0, Math.max(hash, 0))))
        ? locatorConcept(href, schemas)
        : null;
      if (concept !== null) concepts.add(concept);
    }
    if (concepts.size > 0) own.set(label, concepts);
  }
  return own;
}

function isStandardEnglish(label: LabelResource): boolean {
  return label.role === standardRole && (label.language === 'en' || label.language.startsWith('en-'));
}
