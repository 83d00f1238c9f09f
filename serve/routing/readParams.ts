import { IssuerError } from '../../contract/issuerError.ts';
import { isCivilDate } from '../../contract/primitives.ts';
import type { Param, Route } from '../../contract/route.ts';

export type ParamValue = string | number | boolean;

/** Validated parameters of one request: canonical values by name, defaults filled in (I4.10, I4.11). */
export type Params = {
  readonly values: ReadonlyMap<string, ParamValue>;
  /** Names the client sent with a value other than the default, sorted: the normalized query (I5.24). */
  readonly given: readonly string[];
};

type Fault = {
  readonly code:
    | 'invalid_parameter'
    | 'invalid_ticker'
    | 'invalid_product'
    | 'invalid_date'
    | 'unsupported_style';
  readonly reason: string;
  readonly hint: string;
  readonly details?: Readonly<Record<string, unknown>>;
};

/**
 * Reads path and query parameters of a route; nothing is trimmed, clamped or guessed (I4.10–I4.12).
 *
 * @throws IssuerError `invalid_parameter`, `unknown_parameter`, `missing_parameter`, `invalid_ticker`,
 * `invalid_product`, `invalid_date`, `invalid_date_range` or `unsupported_style`.
 */
export function readParams(o: {
  route: Route;
  pathValues: ReadonlyMap<string, string>;
  query: readonly (readonly [name: string, value: string])[];
}): Params {
  const values = new Map<string, ParamValue>();
  for (const param of o.route.params) {
    if (param.in === 'path') values.set(param.name, readValue(param, o.pathValues.get(param.name) ?? ''));
  }
  const queryParams = o.route.params.filter((param) => param.in === 'query');
  const given: string[] = [];
  for (const [name, text] of o.query) {
    const param = queryParams.find((candidate) => candidate.name === name);
    if (param === undefined) throw unknown(o.route, name, queryParams);
    if (values.has(name))
      throw invalid(param, { code: 'invalid_parameter', reason: 'repeated', hint: 'Send it once.' });
    const value = readValue(param, text);
    values.set(name, value);
    if (value !== defaultOf(param)) given.push(name);
  }
  refuseTogether(o.route, values);
  refuseBackwards(values);
  for (const param of queryParams) {
    if (values.has(param.name)) continue;
    if (param.required) throw missing(param.name);
    const byDefault = defaultOf(param);
    if (byDefault !== undefined) values.set(param.name, byDefault);
  }
  const oneOf = o.route.requireOneOf;
  const first = oneOf?.[0];
  if (oneOf !== undefined && first !== undefined && !oneOf.some((name) => values.has(name)))
    throw missing(first);
  return { values, given: given.sort() };
}

/** The normalized query of a request: sorted, canonical values, defaults left out; empty or `?a=b&c=d` (I5.24). */
export function normalizedQuery(params: Params): string {
  if (params.given.length === 0) return '';
  const pairs = params.given.map((name) => `${name}=${encodeURIComponent(String(params.values.get(name)))}`);
  return `?${pairs.join('&')}`;
}

// asked before defaults are filled in: a default is nothing that was sent
function refuseTogether(route: Route, sent: ReadonlyMap<string, ParamValue>): void {
  const [first, second] = (route.exclusive ?? []).filter((name) => sent.has(name));
  if (first === undefined || second === undefined) return;
  throw new IssuerError({
    code: 'invalid_parameter',
    message: `${second} is not sent together with ${first}.`,
    hint: 'Send one of them.',
    details: { parameter: second, reason: `not_with_${first}` },
  });
}

function refuseBackwards(values: ReadonlyMap<string, ParamValue>): void {
  const [from, to] = [values.get('source_date_from'), values.get('source_date_to')];
  if (typeof from !== 'string' || typeof to !== 'string' || from <= to) return;
  throw new IssuerError({
    code: 'invalid_date_range',
    message: `source_date_from ${from} is later than source_date_to ${to}.`,
    hint: 'Swap them.',
    details: { parameter: 'source_date_from', reason: 'from_after_to' },
  });
}

function defaultOf(param: Param): ParamValue | undefined {
  return 'default' in param.type ? param.type.default : undefined;
}

/** One value of a parameter from its text. @throws IssuerError as `readParams` */
export function readValue(param: Param, text: string): ParamValue {
  const result = parse(param, text);
  if (typeof result === 'object') throw invalid(param, result);
  return result;
}

function parse(param: Param, text: string): ParamValue | Fault {
  const { type } = param;
  const fault = (reason: string, hint: string, details: Readonly<Record<string, unknown>> = {}): Fault => ({
    code: 'invalid_parameter',
    reason,
    hint,
    details,
  });
  // an empty path segment never gets here; an empty query value is a fault of its own kind
  if (text === '' && param.in === 'query')
    return fault('empty', 'Leave the parameter out or give it a value.');
  switch (type.kind) {
    case 'ticker':
      // tested before upper-casing: other scripts hold letters whose upper case is ASCII
      return /^[A-Za-z0-9.-]{1,10}$/.test(text)
        ? text.toUpperCase()
        : {
            code: 'invalid_ticker',
            reason: 'pattern',
            hint: 'A ticker has 1 to 10 letters, digits, dots or hyphens.',
          };
    case 'product':
      return /^[A-Za-z0-9.-]{1,32}$/.test(text)
        ? text.toUpperCase()
        : {
            code: 'invalid_product',
            reason: 'pattern',
            hint: 'A product id has 1 to 32 letters, digits, dots or hyphens.',
          };
    case 'cik':
      return /^(CIK)?[0-9]{1,10}$/.test(text)
        ? text.replace('CIK', '').padStart(10, '0')
        : fault('pattern', 'A CIK has 1 to 10 digits.');
    case 'date':
      return isCivilDate(text)
        ? text
        : { code: 'invalid_date', reason: 'not_a_day', hint: 'Write a real day as YYYY-MM-DD.' };
    case 'int': {
      const bounds = { min: type.min, max: type.max };
      if (!/^(0|[1-9][0-9]*)$/.test(text)) return fault('not_an_integer', 'Write digits only.', bounds);
      const value = Number(text);
      return value >= type.min && value <= type.max
        ? value
        : fault('out_of_range', `It goes from ${type.min} to ${type.max}.`, bounds);
    }
    case 'number': {
      const bounds = { min: type.min, max: type.max };
      if (!/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(text) || text.length > 32) {
        return fault('not_a_number', 'Write a decimal number without exponent.', bounds);
      }
      const value = Number(text);
      if (value < type.min || value > type.max) {
        return fault('out_of_range', `It goes from ${type.min} to ${type.max}.`, bounds);
      }
      return Object.is(value, -0) ? 0 : value;
    }
    case 'boolean':
      return text === 'true'
        ? true
        : text === 'false'
          ? false
          : fault('not_a_boolean', 'Write true or false.', { allowed: ['true', 'false'] });
    case 'enum': {
      const ascii = /^[\x21-\x7e]*$/.test(text) ? text.toLowerCase() : null;
      const value = type.values.find((candidate) => candidate.toLowerCase() === ascii);
      if (value !== undefined) return value;
      return {
        ...fault('not_allowed', `Use one of ${type.values.join(', ')}.`, { allowed: type.values }),
        ...(param.name === 'style' ? { code: 'unsupported_style' as const } : {}),
      };
    }
    case 'choice': {
      const value = type.values.find((candidate) => String(candidate) === text);
      if (value !== undefined) return value;
      return fault('not_allowed', `Use one of ${type.values.join(', ')}.`, { allowed: type.values });
    }
    case 'string': {
      const length = [...text].length;
      if (length < type.min || length > type.max) {
        return fault('length', `It has ${type.min} to ${type.max} characters.`, {
          min: type.min,
          max: type.max,
        });
      }
      if (type.pattern !== undefined && !new RegExp(type.pattern).test(text))
        return fault('pattern', 'See /openapi.json.');
      return text;
    }
  }
}

function invalid(param: Param, fault: Fault): IssuerError {
  return new IssuerError({
    code: fault.code,
    message: `${param.name} is not valid.`,
    hint: fault.hint,
    details: { parameter: param.name, reason: fault.reason, ...fault.details },
  });
}

function unknown(route: Route, name: string, queryParams: readonly Param[]): IssuerError {
  const allowed = queryParams.map((param) => param.name);
  return new IssuerError({
    code: 'unknown_parameter',
    message: `${route.path} has no query parameter of this name.`,
    hint: allowed.length === 0 ? 'It takes none.' : `It takes ${allowed.join(', ')}.`,
    details: { parameter: name.slice(0, 100).toWellFormed(), allowed_parameters: allowed },
  });
}

function missing(name: string): IssuerError {
  return new IssuerError({
    code: 'missing_parameter',
    message: `${name} is missing.`,
    hint: `Add ?${name}=… to the request.`,
    details: { parameter: name },
  });
}
