import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Param, Route } from '../../data/contract/routes/route.ts';
import { isNumberChoice } from '../../data/contract/tools/offeredTools.ts';
import { boundedJson } from '../http/boundedJson.ts';
import { missingParam, type ParamValue, readValue, unknownName } from './readParams.ts';

/**
 * Reads the JSON body of a route: one object, each member declared, of its JSON type and valid (I4.14). No bytes are
 * an empty object only where none of its members is required.
 *
 * @throws IssuerError `invalid_json_body`, `unknown_parameter`, `missing_parameter`, `ticker_required` or
 * `invalid_parameter`
 */
export function readBody({
  route,
  bytes,
}: {
  route: Route;
  bytes: Uint8Array;
}): ReadonlyMap<string, ParamValue> {
  const declared = route.params.filter((param) => param.in === 'body');
  if (bytes.length === 0 && declared.some(({ required }) => required)) throw badBody('The body is empty.');
  const values = new Map<string, ParamValue>();
  for (const [name, value] of Object.entries(objectOf(bytes))) {
    const param = declared.find((candidate) => candidate.name === name);
    if (param === undefined) throw unknownMember(name, declared);
    values.set(name, readValue(param, jsonText(param, value)));
  }
  for (const param of declared) {
    if (param.required && !values.has(param.name)) throw missingMember(param);
  }
  return values;
}

function objectOf(bytes: Uint8Array): object {
  if (bytes.length === 0) return {};
  const read = boundedJson(bytes);
  if ('fault' in read) throw badBody('The body is not JSON, or repeats a member.');
  const { value } = read;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badBody('The body is not a JSON object.');
  return value;
}

function badBody(message: string): IssuerError {
  return new IssuerError({
    code: 'invalid_json_body',
    message,
    hint: 'Send one JSON object, each member once.',
    details: { pointer: '' },
  });
}

function unknownMember(name: string, declared: readonly Param[]): IssuerError {
  const shown = name.slice(0, 100).toWellFormed();
  return unknownName('The body has no member', {
    name,
    pointer: `/${shown.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    allowed: declared.map((param) => param.name),
  });
}

function missingMember(param: Param): IssuerError {
  if (param.type.kind === 'ticker' || param.type.kind === 'product')
    return missingParam(param, 'Send it as a member of the body.');
  return new IssuerError({
    code: 'missing_parameter',
    message: `${param.name} is missing in the body.`,
    hint: 'See /openapi.json.',
    details: { parameter: param.name },
  });
}

/**
 * The text of a parameter that came as a JSON value of its type: a number is not taken for a text, nor a text for a number.
 *
 * @throws IssuerError `invalid_parameter`
 */
export function jsonText(param: Param, value: unknown): string {
  const wanted = wantedType(param);
  if (typeof value === wanted && String(value).isWellFormed()) return String(value);
  throw new IssuerError({
    code: 'invalid_parameter',
    message: `${param.name} is not valid.`,
    hint: typeHint(wanted, value),
    details: { parameter: param.name, reason: 'type' },
  });
}

// the word that helps: what was sent, as it would be taken
function typeHint(wanted: ReturnType<typeof wantedType>, value: unknown): string {
  const isQuoted =
    typeof value === 'string' &&
    (wanted === 'number' ? /^-?\d{1,15}(\.\d{1,9})?$/ : /^(true|false)$/).test(value);
  if (wanted !== 'string' && isQuoted) return `It is a JSON ${wanted}: send ${value} without quotes.`;
  if (wanted === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
    return `It is a JSON string: send ${JSON.stringify(String(value))} in quotes.`;
  return `It is a JSON ${wanted}.`;
}

function wantedType(param: Param): 'boolean' | 'number' | 'string' {
  const { kind } = param.type;
  if (kind === 'boolean') return 'boolean';
  if (kind === 'int' || kind === 'number' || kind === 'choice' || isNumberChoice(param)) return 'number';
  return 'string';
}
