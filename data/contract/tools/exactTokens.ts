/** A number as it stands in the text it was read from, so that it can be repeated digit by digit. */
class NumberToken {
  readonly token: string;
  constructor(token: string) {
    this.token = token;
  }
}

/** A JSON value whose numbers are their own text. */
export type TokenValue = string | boolean | null | NumberToken | readonly TokenValue[] | TokenObject;
export type TokenObject = { readonly [name: string]: TokenValue };

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Reads JSON without turning a number into a double. */
export function exactTokens(text: string): TokenValue {
  const reviver: Reviver = (_, value, { source }) =>
    typeof value === 'number' ? new NumberToken(source ?? String(value)) : value;
  return JSON.parse(text, reviver as (key: string, value: unknown) => unknown) as TokenValue;
}

/**
 * The value under a path such as `data[0].ticker`, or `companies[coverage_status=covered].ticker` for the first element
 * with that text; undefined where there is none.
 */
export function tokenAt(value: TokenValue, path: string): TokenValue | undefined {
  let at: TokenValue | undefined = value;
  for (const step of path.split(/\.|(?=\[)/)) {
    if (typeof at !== 'object' || at === null) return undefined;
    const [, member, wanted] = /^\[(\w+)=(\w+)\]$/.exec(step) ?? [];
    if (member !== undefined) {
      at = Array.isArray(at) ? at.find((element) => tokenAt(element, member) === wanted) : undefined;
      continue;
    }
    const index = /^\[(\d+)\]$/.exec(step)?.[1];
    const parent: object = at;
    const name = index ?? step;
    at = Object.hasOwn(parent, name) ? (parent as Record<string, TokenValue>)[name] : undefined;
  }
  return at;
}

/** A text, a flag or a number as it is printed; null for anything else. */
export function printedToken(value: TokenValue | undefined): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return value instanceof NumberToken ? value.token : null;
}

/** A value as JSON, each number digit by digit as it was read. */
export function tokenJson(value: TokenValue): string {
  if (value instanceof NumberToken) return value.token;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(tokenJson).join(',')}]`;
  const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}:${tokenJson(inner)}`);
  return `{${members.join(',')}}`;
}

/** An object without some of its members, and which these were. */
export type CutObject = { readonly data: TokenObject; readonly cut: readonly string[] };

/** Cuts members out of an object; the others keep their order. */
export function withoutMembers(object: TokenObject, isCut: (name: string) => boolean): CutObject {
  const kept = Object.entries(object).filter(([name]) => !isCut(name));
  return { data: Object.fromEntries(kept), cut: Object.keys(object).filter(isCut) };
}

/** Leaves the members `keep` of the rows of a list; `cut` is empty where no row had more. */
export function withShortRows(
  object: TokenObject,
  { list, keep }: { readonly list: string; readonly keep: readonly string[] },
): CutObject {
  const rows = object[list];
  if (!Array.isArray(rows)) return { data: object, cut: [] };
  const short = rows.map((row: TokenObject) => withoutMembers(row, (name) => !keep.includes(name)));
  const cut = [...new Set(short.flatMap((row) => row.cut))];
  return { data: { ...object, [list]: short.map(({ data }) => data) }, cut };
}
