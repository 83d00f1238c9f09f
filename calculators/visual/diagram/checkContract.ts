import {
  type VisualContract,
  visualContract,
  visualLimits,
} from '../../../data/contract/visual/visualContract.ts';
import type { ContractFinding } from './contractFinding.ts';
import { contractWarnings } from './contractWarnings.ts';
import { jsonSize, pointerPart } from './jsonSize.ts';
import { semanticErrors } from './semanticErrors.ts';

export type CheckedContract = {
  /** The contract with defaults filled in; null when it has errors. */
  readonly contract: VisualContract | null;
  readonly bytes: number;
  readonly errors: readonly ContractFinding[];
  readonly warnings: readonly ContractFinding[];
  /** Findings beyond those listed. */
  readonly errorsLeftOut: number;
  readonly warningsLeftOut: number;
};

const mostFindings = 100;

/** Checks a contract from outside and fills in its defaults; sizes are looked at before anything else (I4.VIS.5–8, V14). */
export function checkContract(value: unknown): CheckedContract {
  const { bytes, broken } = jsonSize(value);
  const refused = (...errors: ContractFinding[]): CheckedContract => ({
    contract: null,
    bytes,
    errors: errors.slice(0, mostFindings),
    warnings: [],
    errorsLeftOut: Math.max(0, errors.length - mostFindings),
    warningsLeftOut: 0,
  });
  if (bytes > visualLimits.contractBytes)
    return refused({
      code: 'too_large',
      path: '',
      message: `The contract takes ${bytes} bytes; at most ${visualLimits.contractBytes} are accepted.`,
    });
  const long = tooLong(value);
  if (long.length > 0) return refused(...long);
  if (broken !== null)
    return refused({
      code: 'not_json',
      path: broken,
      message: 'The value is no JSON, is nested too deep, or is text with a lone surrogate.',
    });
  const parsed = visualContract.safeParse(value);
  if (!parsed.success) return refused(...parsed.error.issues.flatMap(findingsOf));
  const contract = parsed.data;
  const metadataBytes = jsonSize(contract.metadata).bytes;
  if (metadataBytes > visualLimits.metadataBytes)
    return refused({
      code: 'too_large',
      path: '/metadata',
      message: `The metadata takes ${metadataBytes} bytes; at most ${visualLimits.metadataBytes} are accepted.`,
    });
  const errors = semanticErrors(contract);
  if (errors.length > 0) return refused(...errors);
  const warnings = contractWarnings(contract);
  return {
    contract,
    bytes,
    errors: [],
    warnings: warnings.slice(0, mostFindings),
    errorsLeftOut: 0,
    warningsLeftOut: Math.max(0, warnings.length - mostFindings),
  };
}

/** Lists over their limit, found without reading what is in them. */
function tooLong(value: unknown): ContractFinding[] {
  if (typeof value !== 'object' || value === null) return [];
  const members = value as Readonly<Record<string, unknown>>;
  return (['nodes', 'edges'] as const).flatMap((name) => {
    const list = members[name];
    const most = visualLimits[name];
    if (!Array.isArray(list) || list.length <= most) return [];
    const message = `There are ${list.length} ${name}; at most ${most} are accepted.`;
    return [{ code: 'out_of_range' as const, path: `/${name}`, message }];
  });
}

type Issue = NonNullable<ReturnType<typeof visualContract.safeParse>['error']>['issues'][number];

function findingsOf(issue: Issue): ContractFinding[] {
  const path = issue.path.map((part) => `/${pointerPart(String(part))}`).join('');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      code: 'unknown_member' as const,
      path: `${path}/${pointerPart(key)}`,
      message: 'The contract has no such member.',
    }));
  const isRange = issue.code === 'too_big' || issue.code === 'too_small';
  return [{ code: isRange ? 'out_of_range' : 'invalid_value', path, message: issue.message }];
}
