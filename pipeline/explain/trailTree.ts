import { grouped } from '../../calculators/exact/grouped.ts';
import type {
  ResolutionTrail,
  TrailFact,
  TrailRoot,
  TrailSource,
  TrailTotal,
} from '../../calculators/trail/resolutionTrail.ts';
import { accessionText } from '../../contract/values/accessionText.ts';
import { printable } from '../../contract/values/printable.ts';

/** A line of a tree and what hangs below it. */
type Branch = { readonly text: string; readonly below: readonly Branch[] };

const marks = { pass: '✓', fail: '✗', unbound: '·', stopped: '!' } as const;
const buckets = { C: 'current', N: 'noncurrent', T: 'total' } as const;

/** Prints a trail as a tree: ratio, totals, roots, filed facts; below each total its ladder and its checks. */
export function trailTree({ ratio }: ResolutionTrail): string {
  const root = {
    text: `debt ÷ coins after a 50 % fall = ${ratio.value}   ${ratio.name} = ${ratio.formula}`,
    below: ratio.children.map(totalBranch),
  };
  return `${lines(root).map(printable).join('\n')}\n`;
}

function totalBranch(total: TrailTotal): Branch {
  const { side, value, status, method, dataSource } = total;
  const parts = Object.entries(total.parts).map(([name, part]) => `${name} ${grouped(part)}`);
  const split = parts.length === 0 ? '' : ` = ${parts.join(' + ')}`;
  return {
    text: `${side} ${grouped(value)} USD${split}   ${[status, method ?? 'no method', dataSource].join(', ')}`,
    below: [...total.children.map(rootBranch), ...statement(total), ...ladder(total), ...checks(total)],
  };
}

function rootBranch(root: TrailRoot): Branch {
  const { bucket, concept, value, weight, parent, role, rung, reason } = root;
  const place = parent === null ? rung : `below ${parent} in ${role === null ? rung : shortRole(role)}`;
  return {
    text: `${buckets[bucket]} ${signed(weight)} ${concept} ${grouped(value)}   ${place}: ${reason}`,
    below: root.children.map((child) => sourceBranch(child, root.concept)),
  };
}

function sourceBranch(source: TrailSource, above: string): Branch {
  switch (source.kind) {
    case 'fact':
      return { text: factText(source, above), below: [] };
    case 'sum':
      return {
        text: `sum ${signed(source.weight)} ${source.concept} ${grouped(source.value)}   not reported, from its arcs in ${shortRole(source.role)}`,
        below: source.children.map((child) => sourceBranch(child, source.concept)),
      };
    case 'price':
      return {
        text: `close of ${source.asset} on ${source.date} ${source.close} USD   ${source.source}`,
        below: [],
      };
  }
}

function factText(fact: TrailFact, above: string): string {
  const { concept, value, weight, unit, start, end, context, dimensions, decimals, accession, origin } = fact;
  // the root has said it already
  const named = concept === above ? '' : `${signed(weight)} ${concept} `;
  const where = dimensions.map(({ axis, member }) => `${axis}=${member}`);
  const details = [
    start === null ? `at ${end}` : `${start} to ${end}`,
    ...where,
    ...(context === null ? [] : [`context ${context}`]),
    ...(decimals === null ? [] : [`decimals ${decimals}`]),
    `${accessionText(accession)} (${origin})`,
  ];
  return `fact ${named}${value === null ? 'nil' : grouped(value)} ${unit}   ${details.join(', ')}`;
}

/** The lines that document order gives the side, and the sum they close with. */
function statement({ face }: TrailTotal): Branch[] {
  if (face === undefined) return [];
  const { anchor, target, isByEquity, sum, lines } = face;
  const whose = isByEquity ? `${anchor}, the total with equity less equity` : anchor;
  const text = `document order: ${lines.length} lines add up to ${grouped(sum)}   ${whose} ${grouped(target)}`;
  return [
    { text, below: lines.map((line) => ({ text: `${line.concept} ${grouped(line.value)}`, below: [] })) },
  ];
}

function ladder({ rungs }: TrailTotal): Branch[] {
  if (rungs.length === 0) return [];
  const below = rungs.map(({ rung, taken, reason }) => ({
    text: `${taken ? '✓' : '·'} ${rung} ${taken ? 'taken' : 'not taken'}: ${reason}`,
    below: [],
  }));
  return [{ text: 'ladder', below }];
}

function checks(total: TrailTotal): Branch[] {
  if (total.checks.length === 0) return [];
  const below = total.checks.map(({ check, result, detail }) => ({
    text: `${marks[result]} ${nameOf(check)} ${result}: ${detail}${ruleOf(check)}`,
    below: [],
  }));
  return [{ text: 'checks', below }];
}

/** What a check of a rule asks, in words; a check of a statement total goes by the total's concept. */
const checkNames: Readonly<Record<string, string>> = {
  'M1.31-M1.34': 'debt identities',
  'M1.35': 'debt within liabilities',
  'M1.36': 'agreement of admissible totals',
  'M1.36b': 'one tier for all admissible totals',
  'M1.18b': 'lines of the liabilities',
  'M1.37b': 'interest the debt implies',
};

function nameOf(check: string): string {
  return checkNames[check] ?? check;
}

function ruleOf(check: string): string {
  return check in checkNames ? ` (${check.replace('-', '–')})` : '';
}

function signed(weight: 1 | -1): string {
  return weight === 1 ? '+' : '−';
}

function shortRole(uri: string): string {
  return uri.split('/').at(-1) ?? uri;
}

function lines({ text, below }: Branch): string[] {
  const last = below.length - 1;
  return [
    text,
    ...below.flatMap((branch, i) => {
      const [head = '', ...rest] = lines(branch);
      const [arm, gap] = i === last ? ['└─ ', '   '] : ['├─ ', '│  '];
      return [`${arm}${head}`, ...rest.map((line) => `${gap}${line}`)];
    }),
  ];
}
