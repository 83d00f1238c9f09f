import type { JsonSchema } from './jsonSchema.ts';

/** One member of a payload as its schema states it (I4.F02.2). */
export type FieldPath = {
  /** Members joined by dots; `[]` enters an array, `*` stands for any key of a map. */
  readonly path: string;
  /** JSON type; `array<T>` and `map<T>` name what they hold, `any` is free-form. */
  readonly type: string;
  readonly nullable: boolean;
  readonly required: boolean;
  readonly enum: readonly string[] | null;
};

/** Lists every member of a JSON Schema, depth first in the order of the schema; each path once. */
export function fieldPaths(schema: JsonSchema): FieldPath[] {
  const found = new Map<string, FieldPath>();
  walk(schema, '', found);
  return [...found.values()];
}

function walk(schema: JsonSchema, prefix: string, found: Map<string, FieldPath>): void {
  for (const branch of branchesOf(schema)) {
    const required = new Set((branch['required'] as readonly string[] | undefined) ?? []);
    const properties = (branch['properties'] ?? {}) as Record<string, JsonSchema>;
    for (const [name, member] of Object.entries(properties))
      enter(member, { path: `${prefix}${name}`, required: required.has(name) }, found);
    const values = branch['additionalProperties'];
    if (isSchema(values)) enter(values, { path: `${prefix}*`, required: false }, found);
  }
}

function enter(
  schema: JsonSchema,
  { path, required }: { readonly path: string; readonly required: boolean },
  found: Map<string, FieldPath>,
): void {
  const branches = branchesOf(schema);
  if (!found.has(path)) {
    found.set(path, {
      path,
      type: typeOf(branches),
      nullable: branches.some((branch) => branch['type'] === 'null' || isAny(branch)),
      required,
      enum: valuesOf(branches),
    });
  }
  for (const branch of branches) {
    const items = branch['items'];
    if (isSchema(items)) for (const item of branchesOf(items)) walk(item, `${path}[].`, found);
    else walk(branch, `${path}.`, found);
  }
}

// the alternatives of a schema; a nullable member is an alternative with null
function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  const alternatives = schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf'];
  if (Array.isArray(alternatives)) return alternatives.flatMap(branchesOf);
  const { type } = schema;
  return Array.isArray(type) ? type.map((name: unknown) => ({ ...schema, type: name })) : [schema];
}

function typeOf(branches: readonly JsonSchema[]): string {
  const names = branches.filter((branch) => branch['type'] !== 'null').map(nameOf);
  return [...new Set(names)].join('|');
}

function nameOf(branch: JsonSchema): string {
  const { type } = branch;
  if (type === 'array') {
    const { items } = branch;
    return isSchema(items) ? `array<${typeOf(branchesOf(items))}>` : 'array<any>';
  }
  if (type === 'object' && branch['properties'] === undefined) {
    const values = branch['additionalProperties'];
    return isSchema(values) && !isAny(values) ? `map<${typeOf(branchesOf(values))}>` : 'object';
  }
  return typeof type === 'string' ? type : 'any';
}

function valuesOf(branches: readonly JsonSchema[]): readonly string[] | null {
  const values = branches.flatMap((branch) => {
    const listed = branch['enum'] ?? (branch['const'] === undefined ? [] : [branch['const']]);
    return (listed as readonly unknown[]).filter((value) => typeof value === 'string');
  });
  return values.length === 0 ? null : (values as string[]);
}

function isAny(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'description');
}

function isSchema(value: unknown): value is JsonSchema {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
