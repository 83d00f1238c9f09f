import type { z } from 'zod';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { VisualAsk } from '../visual/visualCall.ts';
import type { BuiltVisualTool } from './visualSource.ts';

/**
 * Reads the arguments of a visual tool; what is inside a contract is judged by the tool itself (I4.VIS.10).
 *
 * @throws IssuerError `unknown_parameter`, `missing_parameter` or `invalid_parameter` (I4.MCP.24)
 */
export function visualArguments(
  { name, forms }: BuiltVisualTool,
  args: Readonly<Record<string, unknown>>,
): VisualAsk {
  const read = forms.args.safeParse(args);
  // the table gives each tool its own form
  if (read.success) return { tool: name, args: read.data } as VisualAsk;
  const allowed = Object.keys(forms.args.shape);
  const [issue] = read.error.issues;
  if (issue === undefined) throw new RangeError('a failed reading has an issue');
  throw argumentError(issue, { args, allowed });
}

function argumentError(
  issue: z.core.$ZodIssue,
  { args, allowed }: { args: Readonly<Record<string, unknown>>; allowed: readonly string[] },
): IssuerError {
  if (issue.code === 'unrecognized_keys') {
    const parameter = (issue.keys[0] ?? '').slice(0, 100).toWellFormed();
    return new IssuerError({
      code: 'unknown_parameter',
      message: 'The tool has no argument of this name.',
      hint: `It takes ${allowed.join(', ')}.`,
      details: { parameter, allowed_parameters: allowed },
    });
  }
  const parameter = String(issue.path[0] ?? '');
  if (!Object.hasOwn(args, parameter))
    return new IssuerError({
      code: 'missing_parameter',
      message: `The argument ${parameter} is missing.`,
      hint: 'inputSchema of tools/list says what the tool takes.',
      details: { parameter },
    });
  return new IssuerError({
    code: 'invalid_parameter',
    message: `The argument ${parameter} is not valid: ${issue.message}.`,
    hint: 'inputSchema of tools/list says what the tool takes.',
    details: { parameter, reason: issue.code, pointer: `/${issue.path.map(String).join('/')}` },
  });
}
