import {
  type VisualContract,
  visualContract,
  visualLimits,
} from '../../../data/contract/visual/visualContract.ts';
import type { FaceName } from '../type/faces.ts';
import { cleanText, subsetsOf } from '../type/measureText.ts';
import { passedRanks } from './layered/assignRanks.ts';
import { type ContractFinding, finding, semanticErrors } from './semanticErrors.ts';

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
/** What a layered layout takes on; the rest of a picture's work is bounded by its nodes and edges (V70). */
const mostPassedRanks = 60_000;

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
    return refused(
      finding(
        'too_large',
        '',
        `The contract takes ${bytes} bytes; at most ${visualLimits.contractBytes} are accepted.`,
      ),
    );
  const long = tooLong(value);
  if (long.length > 0) return refused(...long);
  if (broken !== null)
    return refused(
      finding(
        'not_json',
        broken,
        'The value is no JSON, is nested too deep, or is text with a lone surrogate.',
      ),
    );
  const parsed = visualContract.safeParse(value);
  if (!parsed.success) return refused(...parsed.error.issues.flatMap(findingsOf));
  const contract = parsed.data;
  const metadataBytes = jsonSize(contract.metadata).bytes;
  if (metadataBytes > visualLimits.metadataBytes)
    return refused(
      finding(
        'too_large',
        '/metadata',
        `The metadata takes ${metadataBytes} bytes; at most ${visualLimits.metadataBytes} are accepted.`,
      ),
    );
  const errors = semanticErrors(contract);
  if (errors.length > 0) return refused(...errors);
  const passed = isLayered(contract) ? passedRanks(contract) : 0;
  if (passed > mostPassedRanks)
    return refused(
      finding(
        'too_large',
        '/edges',
        `The edges pass ${passed} ranks together; at most ${mostPassedRanks} are laid out.`,
      ),
    );
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
    return [
      finding('out_of_range', `/${name}`, `There are ${list.length} ${name}; at most ${most} are accepted.`),
    ];
  });
}

type Issue = NonNullable<ReturnType<typeof visualContract.safeParse>['error']>['issues'][number];

function findingsOf(issue: Issue): ContractFinding[] {
  const path = issue.path.map((part) => `/${pointerPart(String(part))}`).join('');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) =>
      finding('unknown_member', `${path}/${pointerPart(key)}`, 'The contract has no such member.'),
    );
  const isRange = issue.code === 'too_big' || issue.code === 'too_small';
  return [finding(isRange ? 'out_of_range' : 'invalid_value', path, issue.message)];
}

type JsonSize = {
  /** UTF-8 bytes of the compact JSON text. */
  readonly bytes: number;
  /** Pointer to a value that is no JSON, is nested too deep, or is text with a lone surrogate; null when all is well. */
  readonly broken: string | null;
};

const deepest = 32;

/** Counts what a value takes as compact JSON without writing it, and finds what cannot be written. */
function jsonSize(value: unknown): JsonSize {
  let bytes = 0;
  let broken: string | null = null;
  const open: { value: unknown; path: string; depth: number }[] = [{ value, path: '', depth: 0 }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { value: item, path, depth } = at;
    if (depth > deepest) {
      broken ??= path;
    } else if (typeof item === 'string') {
      if (!item.isWellFormed()) broken ??= path;
      bytes += utf8Bytes(JSON.stringify(item));
    } else if (item === null || typeof item === 'boolean' || Number.isFinite(item)) {
      bytes += String(item).length;
    } else if (Array.isArray(item)) {
      bytes += 2 + Math.max(0, item.length - 1);
      for (let i = item.length - 1; i >= 0; i--)
        open.push({ value: item[i], path: `${path}/${i}`, depth: depth + 1 });
    } else if (typeof item === 'object') {
      const members = Object.entries(item).filter(([, member]) => member !== undefined);
      bytes += 2 + Math.max(0, members.length - 1);
      for (const [name, member] of members.toReversed()) {
        bytes += utf8Bytes(JSON.stringify(name)) + 1;
        open.push({ value: member, path: `${path}/${pointerPart(name)}`, depth: depth + 1 });
      }
    } else {
      broken ??= path;
    }
  }
  return { bytes, broken };
}

function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** A name as a part of a JSON pointer (RFC 6901). */
function pointerPart(name: string): string {
  return name.replace(/~/g, '~0').replace(/\//g, '~1');
}

/** What renders, but perhaps not as meant: characters no embedded face has (V12), pins that edges override. */
function contractWarnings(contract: VisualContract): ContractFinding[] {
  const { viewport_policy: viewport } = contract;
  const isBlocked = 2 * viewport.margin >= Math.min(viewport.width, viewport.height);
  return [
    ...(isBlocked
      ? [finding('margin_too_wide', '/viewport_policy/margin', 'The margins leave nothing of the viewport.')]
      : []),
    ...textsOf(contract).flatMap(({ text, path, weight }) =>
      outsideFont(text, { path, face: faceOf(contract, weight) }),
    ),
    ...pins(contract),
  ];
}

const faceOf = ({ render_policy }: VisualContract, weight: 400 | 600): FaceName =>
  `${render_policy.font_family}-${weight}`;

function textsOf({ title, nodes, edges, labels, owners, groups }: VisualContract) {
  const drawn = (items: readonly { text: string | undefined; path: string }[], weight: 400 | 600 = 400) =>
    items.flatMap(({ text, path }) => (text === undefined ? [] : [{ text, path, weight }]));
  return [
    ...drawn([{ text: title, path: '/title' }], 600),
    ...drawn(nodes.map(({ label }, i) => ({ text: label, path: `/nodes/${i}/label` }))),
    ...drawn(edges.map(({ label }, i) => ({ text: label, path: `/edges/${i}/label` }))),
    ...drawn(labels.map(({ text }, i) => ({ text, path: `/labels/${i}/text` }))),
    ...drawn(
      owners.map(({ label }, i) => ({ text: label, path: `/owners/${i}/label` })),
      600,
    ),
    ...drawn(groups.map(({ label }, i) => ({ text: label, path: `/groups/${i}/label` }))),
  ];
}

function outsideFont(text: string, { path, face }: { path: string; face: FaceName }): ContractFinding[] {
  const { outside } = subsetsOf([cleanText(text)], face);
  if (outside.length === 0) return [];
  const named = outside
    .slice(0, 8)
    .map((character) => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  const more = outside.length > named.length ? ' and others' : '';
  const message = `The embedded face has no ${named.join(', ')}${more}: the reader's own font is pressed into a box of estimated width.`;
  return [finding('glyph_outside_font', path, message)];
}

const isLayered = ({ diagram_family }: VisualContract): boolean =>
  diagram_family === 'layered_flow' || diagram_family === 'swimlane';

function pins(contract: VisualContract): ContractFinding[] {
  if (!isLayered(contract)) return [];
  const { nodes, edges } = contract;
  const ranks = new Map(nodes.map(({ id, rank }) => [id, rank]));
  return edges.flatMap(({ from, to }, i) => {
    const [above, below] = [ranks.get(from), ranks.get(to)];
    if (above === undefined || above !== below) return [];
    return [
      finding('rank_not_kept', `/edges/${i}`, `Both ends ask for rank ${above}; ${to} moves below ${from}.`),
    ];
  });
}
