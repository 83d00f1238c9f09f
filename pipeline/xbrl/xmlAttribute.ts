import type { XmlElement } from './xmlReader.ts';

/** Value of the attribute `local` in namespace `uri` (empty for unprefixed ones), null when absent. */
export function xmlAttribute(element: XmlElement, local: string, uri = ''): string | null {
  if (uri === '') {
    // an unprefixed attribute is in no namespace, so its qualified name is its local name
    return element.attributes[local]?.value ?? null;
  }
  for (const name in element.attributes) {
    const attribute = element.attributes[name];
    if (attribute?.local === local && attribute.uri === uri) return attribute.value;
  }
  return null;
}
