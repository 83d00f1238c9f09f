import type { JsonSchema } from './jsonSchema.ts';

/** Where a schema stands first: its component, and the member that holds it. */
type Place = { readonly component: string; readonly member: string };
/** Shorter ones are cheaper where they stand than a reference and a name. */
const leastLength = 150;

/**
 * States once what stands in several component schemas: each object or closed list that repeats becomes a component, named
 * for the member that holds it first, and a reference where it stood (I4.F07.2).
 *
 * Pure: the same schemas in the same order give the same names.
 */
export function sharedSchemas(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const first = new Map<string, Place>();
  const repeated = new Set<string>();
  for (const [component, schema] of Object.entries(schemas)) count(schema, { component, member: '' });
  function count(node: unknown, place: Place): void {
    if (isShareable(node)) {
      const text = JSON.stringify(node);
      // what is inside is counted once
      if (first.has(text)) return void repeated.add(text);
      first.set(text, place);
    }
    for (const [keyword, value] of entriesOf(node)) count(value, placeBelow(place, keyword, node));
  }
  const names = new Map<string, string>();
  const taken = new Set(Object.keys(schemas));
  for (const [component, schema] of Object.entries(schemas)) names.set(JSON.stringify(schema), component);
  for (const text of repeated) {
    if (names.has(text)) continue;
    const name = freeName(first.get(text) as Place, taken);
    taken.add(name);
    names.set(text, name);
  }
  const referred = (node: unknown, isOwn = false): unknown => {
    const text = isOwn || !isShareable(node) ? undefined : JSON.stringify(node);
    const name = text !== undefined && repeated.has(text) ? names.get(text) : undefined;
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
    if (Array.isArray(node)) return node.map((one) => referred(one));
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([keyword, value]) => [keyword, referred(value)]));
  };
  const own = [...names].map(([text, name]) => [name, referred(JSON.parse(text), true)]);
  return Object.fromEntries(own) as Record<string, JsonSchema>;
}

function isShareable(node: unknown): node is JsonSchema {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return false;
  const { type, properties, enum: values } = node as JsonSchema;
  const isObject = type === 'object' && typeof properties === 'object';
  return (isObject || Array.isArray(values)) && JSON.stringify(node).length >= leastLength;
}

function entriesOf(node: unknown): readonly (readonly [string, unknown])[] {
  return typeof node === 'object' && node !== null ? Object.entries(node) : [];
}

/** A member of `properties` is named by its key; what an array or a map holds by the array or map. */
function placeBelow(place: Place, keyword: string, node: unknown): Place {
  if (keyword === 'items') return { ...place, member: `${place.member}_item` };
  if (keyword === 'additionalProperties') return { ...place, member: `${place.member}_value` };
  const isKeyword = typeof node === 'object' && node !== null && ('type' in node || 'anyOf' in node);
  return isKeyword || Array.isArray(node) || keywords.has(keyword) ? place : { ...place, member: keyword };
}

const keywords = new Set(['properties', 'anyOf', 'allOf', 'oneOf', 'propertyNames', 'required', 'enum']);

function freeName({ component, member }: Place, taken: ReadonlySet<string>): string {
  const plain = /[a-z]/.test(member) ? member : member.toLowerCase();
  const short = plain.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const tried = [short, `${component}${short}`];
  for (let n = 2; ; n += 1) {
    const [name] = tried.filter((one) => /^[A-Z]\w*$/.test(one) && !taken.has(one));
    if (name !== undefined) return name;
    tried.push(`${component}${short}${n}`);
  }
}
