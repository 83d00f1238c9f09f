/** A number as it stands in the text it was read from, so that it can be repeated digit by digit. */
export type NumberToken = { readonly token: string };

/** A JSON value whose numbers are their own text. */
export type TokenValue =
  | string
  | boolean
  | null
  | NumberToken
  | readonly TokenValue[]
  | { readonly [name: string]: TokenValue };

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Reads JSON without turning a number into a double. */
export function exactTokens(text: string): TokenValue {
  const reviver: Reviver = (_, value, { source }) =>
    typeof value === 'number' ? { token: source ?? String(value) } : value;
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
  if (typeof value !== 'object' || value === null || !('token' in value)) return null;
  return typeof value.token === 'string' ? value.token : null;
}
