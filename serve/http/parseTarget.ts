import { IssuerError } from '../../data/contract/errors/issuerError.ts';

/** A request target taken apart: path segments decoded once, query pairs in order (I1.15, I4.1). */
export type Target = {
  /** Path as received, without query; what `instance` shows. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
};

/**
 * Takes a request target apart.
 *
 * @throws IssuerError `invalid_parameter` on percent-encoding that is not UTF-8 and on targets without a path.
 */
export function parseTarget(target: string): Target {
  const text = target.startsWith('/') ? target : pathOfAbsoluteForm(target);
  const mark = text.indexOf('?');
  const path = mark < 0 ? text : text.slice(0, mark);
  const segments = path.slice(1).split('/');
  return {
    path,
    segments: path.includes('%') ? segments.map((segment) => decode(segment, 'path')) : segments,
    query: mark < 0 ? [] : parseQuery(text.slice(mark + 1)),
  };
}

/** The path part of a target without decoding anything; for problem bodies of requests that cannot be parsed. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  return path.startsWith('/') ? path : '/';
}

/** Whether a path is that of the tool endpoint, which answers with a slash at its end too (I4.2). */
export function isToolPath(path: string): boolean {
  return path === '/mcp' || path === '/mcp/';
}

function pathOfAbsoluteForm(target: string): string {
  const found = /^https?:\/\/[^/?#]*([^#]*)$/i.exec(target);
  const rest = found?.[1];
  if (rest === undefined) {
    throw new IssuerError({
      code: 'invalid_parameter',
      message: 'The request target is not a path.',
      hint: 'Send a target that begins with /.',
      details: { parameter: 'path', reason: 'not_a_path' },
    });
  }
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function parseQuery(text: string): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(plusToSpace(equals < 0 ? part : part.slice(0, equals)), 'query');
    pairs.push([name, equals < 0 ? '' : decode(plusToSpace(part.slice(equals + 1)), name)]);
  }
  return pairs;
}

function plusToSpace(text: string): string {
  return text.includes('+') ? text.replaceAll('+', ' ') : text;
}

function decode(text: string, parameter: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new IssuerError({
      code: 'invalid_parameter',
      message: `The percent-encoding of ${parameter === 'path' ? 'the path' : 'a query value'} is not UTF-8.`,
      hint: 'Encode text as UTF-8 and each byte as %XX.',
      details: { parameter, reason: 'bad_percent_encoding' },
      cause,
    });
  }
}
