import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Param, Route } from '../../data/contract/routes/route.ts';
import { isCivilDate } from '../../data/contract/values/primitives.ts';

export type ParamValue = string | number | boolean;

/** Validated parameters of one request: canonical values by name, defaults filled in (I4.10, I4.11). */
export type Params = {
  readonly values: ReadonlyMap<string, ParamValue>;
  /** Query parameters sent with a value other than the default, sorted: the normalized query (I5.24). */
  readonly given: readonly string[];
  /** The same of the members of a JSON body; null on a route that takes none. */
  readonly givenInBody: readonly string[] | null;
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

/** What the parameters of one request are read from. */
export type RequestParts = {
  readonly route: Route;
  readonly pathValues: ReadonlyMap<string, string>;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Members of the JSON body, read; null where there is none to read. */
  readonly body?: ReadonlyMap<string, ParamValue> | null;
};

/**
 * Reads the parameters of a route from path, query and body; nothing is trimmed, clamped or guessed (I4.10–I4.12).
 *
 * @throws IssuerError `invalid_parameter`, `unknown_parameter`, `missing_parameter`, `ticker_required`,
 * `product_required`, `invalid_ticker`, `invalid_product`, `invalid_date`, `invalid_date_range` or `unsupported_style`.
 */
export function readParams({ route, pathValues, query, body = null }: RequestParts): Params {
  const values = new Map<string, ParamValue>();
  for (const param of route.params) {
    if (param.in === 'path') values.set(param.name, readValue(param, pathValues.get(param.name) ?? ''));
  }
  const queryParams = route.params.filter((param) => param.in === 'query');
  const given: string[] = [];
  for (const [name, text] of query) {
    const param = queryParams.find((candidate) => candidate.name === name);
    if (param === undefined) {
      const allowed = queryParams.map((one) => one.name);
      throw unknownName(`${route.path} has no query parameter`, { name, allowed });
    }
    if (values.has(name))
      throw invalid(param, { code: 'invalid_parameter', reason: 'repeated', hint: 'Send it once.' });
    const value = readValue(param, text);
    values.set(name, value);
    if (value !== defaultOf(param)) given.push(name);
  }
  const bodyParams = body === null ? [] : route.params.filter((param) => param.in === 'body');
  for (const [name, value] of body ?? []) values.set(name, value);
  refuseTogether(route, values);
  refuseRange(values);
  for (const param of [...queryParams, ...bodyParams]) {
    if (values.has(param.name)) continue;
    if (param.required) throw missingParam(param);
    const byDefault = defaultOf(param);
    if (byDefault !== undefined) values.set(param.name, byDefault);
  }
  const oneOf = route.requireOneOf;
  const first = oneOf?.[0];
  if (oneOf !== undefined && first !== undefined && !oneOf.some((name) => values.has(name)))
    throw missingOneOf(first, oneOf);
  return { values, given: given.sort(), givenInBody: body === null ? null : givenOf(bodyParams, body) };
}

function givenOf(params: readonly Param[], sent: ReadonlyMap<string, ParamValue>): string[] {
  return params
    .filter((param) => sent.has(param.name) && sent.get(param.name) !== defaultOf(param))
    .map((param) => param.name)
    .sort();
}

/** The normalized query of a request: sorted, canonical values, defaults omitted; empty or `?a=b&c=d` (I5.24). */
export function normalizedQuery({ values, given }: Pick<Params, 'values' | 'given'>): string {
  if (given.length === 0) return '';
  return `?${given.map((name) => `${name}=${encodeURIComponent(String(values.get(name)))}`).join('&')}`;
}

/** The values of some parameters by name, as they were read. */
export function valuesOf<V extends ParamValue>(
  { values }: Pick<Params, 'values'>,
  names: readonly string[],
  print: (value: ParamValue) => V,
): Readonly<Record<string, V>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values.get(name);
      return value === undefined ? [] : [[name, print(value)]];
    }),
  );
}

// asked before defaults are filled in: a default is nothing that was sent
function refuseTogether(route: Route, sent: ReadonlyMap<string, ParamValue>): void {
  const together = (route.exclusive ?? []).map((group) => group.filter((name) => sent.has(name)));
  const [first, second] = together.find((group) => group.length > 1) ?? [];
  if (first === undefined || second === undefined) return;
  throw new IssuerError({
    code: 'invalid_parameter',
    message: `${second} is not sent together with ${first}.`,
    hint: 'Send one of them.',
    details: { parameter: second, reason: `not_with_${first}` },
  });
}

// asked before defaults are filled in, too: one date and a range of dates are two questions (I7.5)
function refuseRange(sent: ReadonlyMap<string, ParamValue>): void {
  const bound = ['source_date_from', 'source_date_to'].find((name) => sent.has(name));
  if (bound !== undefined && sent.has('source_date'))
    throw new IssuerError({
      code: 'invalid_date_range',
      message: `source_date is not sent together with ${bound}.`,
      hint: 'Send the date or the range.',
      details: { parameter: 'source_date', reason: 'range_with_exact_date', max_days: null },
    });
  const [from, to] = [sent.get('source_date_from'), sent.get('source_date_to')];
  if (typeof from !== 'string' || typeof to !== 'string' || from <= to) return;
  throw new IssuerError({
    code: 'invalid_date_range',
    message: `source_date_from ${from} is later than source_date_to ${to}.`,
    hint: 'Swap them.',
    details: { parameter: 'source_date_from', reason: 'from_after_to', max_days: null },
  });
}

function defaultOf(param: Param): ParamValue | undefined {
  return 'default' in param.type ? param.type.default : undefined;
}

/** One value of a parameter from its text. @throws IssuerError as `readParams` */
export function readValue(param: Param, text: string): ParamValue {
  const { type } = param;
  const fault = (reason: string, hint: string, details: Fault['details'] = {}): IssuerError =>
    invalid(param, { code: 'invalid_parameter', reason, hint, details });
  // an empty path segment never gets here; an empty query value is a fault of its own kind
  if (text === '' && param.in === 'query')
    throw fault('empty', 'Leave the parameter out or give it a value.');
  switch (type.kind) {
    case 'ticker':
      // tested before upper-casing: other scripts hold letters whose upper case is ASCII
      if (/^[A-Za-z0-9.-]{1,10}$/.test(text)) return text.toUpperCase();
      throw invalid(param, {
        code: 'invalid_ticker',
        reason: 'pattern',
        hint: 'A ticker has 1 to 10 letters, digits, dots or hyphens.',
      });
    case 'product':
      if (/^[A-Za-z0-9.-]{1,32}$/.test(text)) return text.toUpperCase();
      throw invalid(param, {
        code: 'invalid_product',
        reason: 'pattern',
        hint: 'A product id has 1 to 32 letters, digits, dots or hyphens.',
      });
    case 'cik':
      if (/^(CIK)?[0-9]{1,10}$/.test(text)) return text.replace('CIK', '').padStart(10, '0');
      throw fault('pattern', 'A CIK has 1 to 10 digits.');
    case 'date':
      if (isCivilDate(text)) return text;
      throw invalid(param, {
        code: 'invalid_date',
        reason: 'not_a_day',
        hint: 'Write a real day as YYYY-MM-DD.',
      });
    case 'int':
    case 'number': {
      const bounds = { min: type.min, max: type.max };
      if (type.kind === 'int' && !/^(0|[1-9][0-9]*)$/.test(text))
        throw fault('not_an_integer', 'Write digits only.', bounds);
      if (type.kind === 'number' && (!/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(text) || text.length > 32))
        throw fault('not_a_number', 'Write a decimal number without exponent.', bounds);
      const value = Number(text);
      if (value < type.min || value > type.max)
        throw fault('out_of_range', `It goes from ${type.min} to ${type.max}.`, bounds);
      return Object.is(value, -0) ? 0 : value;
    }
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw fault('not_a_boolean', 'Write true or false.', { allowed: ['true', 'false'] });
    case 'enum':
    case 'choice': {
      // the words of a list are read in any case, its numbers as they are
      const word = /^[\x21-\x7e]*$/.test(text) ? text.toLowerCase() : null;
      const isAsked = (candidate: ParamValue): boolean =>
        type.kind === 'enum' ? String(candidate).toLowerCase() === word : String(candidate) === text;
      const value = type.values.find(isAsked);
      if (value !== undefined) return value;
      throw invalid(param, {
        code: type.kind === 'enum' && param.name === 'style' ? 'unsupported_style' : 'invalid_parameter',
        reason: 'not_allowed',
        hint: `Use one of ${type.values.join(', ')}.`,
        details: { allowed: type.values },
      });
    }
    case 'string': {
      const { min, max, pattern } = type;
      const length = [...text].length;
      if (length < min || length > max)
        throw fault('length', `It has ${min} to ${max} characters.`, { min, max });
      if (pattern !== undefined && !new RegExp(pattern).test(text))
        throw fault('pattern', 'See /openapi.json.');
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

/** The refusal of a name that is not among those `place` takes; the text repeats it where it is a plain word. */
export function unknownName(
  place: string,
  { name, allowed, ...more }: { name: string; allowed: readonly string[]; pointer?: string },
): IssuerError {
  const said = /^[\w.[\]-]{1,64}$/.test(name) ? name : 'of this name';
  return new IssuerError({
    code: 'unknown_parameter',
    message: `${place} ${said}.`,
    hint: allowed.length === 0 ? 'It takes none.' : `It takes ${allowed.join(', ')}.`,
    details: { parameter: name.slice(0, 100).toWellFormed(), ...more, allowed_parameters: allowed },
  });
}

/** A required parameter that was not sent; an issuer or a product has a code of its own (I4.R27.2, I4.R30.1). */
export function missingParam(
  { name, type, example }: Param,
  hint = `Add ?${name}=${example ?? '…'} to the request.`,
): IssuerError {
  const code =
    type.kind === 'ticker'
      ? 'ticker_required'
      : type.kind === 'product'
        ? 'product_required'
        : 'missing_parameter';
  return new IssuerError({ code, message: `${name} is missing.`, hint, details: { parameter: name } });
}

/** 400: none of the parameters was sent of which one is needed. */
export function missingOneOf(
  first: string,
  names: readonly string[],
  hint = `Add ?${first}=… to the request.`,
): IssuerError {
  return new IssuerError({
    code: 'missing_parameter',
    message: `${names.join(' or ')} is missing.`,
    hint,
    details: { parameter: first },
  });
}
