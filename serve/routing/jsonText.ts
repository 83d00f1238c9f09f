import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Param } from '../../data/contract/routes/route.ts';
import { isNumberChoice } from '../../data/contract/tools/toolArguments.ts';

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
    hint: `It is a JSON ${wanted}.`,
    details: { parameter: param.name, reason: 'type' },
  });
}

function wantedType(param: Param): 'boolean' | 'number' | 'string' {
  const { kind } = param.type;
  if (kind === 'boolean') return 'boolean';
  if (kind === 'int' || kind === 'number' || kind === 'choice' || isNumberChoice(param)) return 'number';
  return 'string';
}
