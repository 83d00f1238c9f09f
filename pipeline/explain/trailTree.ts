import { grouped } from '../../calculators/exact/decimals.ts';
import { faceOrderRole } from '../../calculators/faceOrder/faceNetwork.ts';
import { wordsOf } from '../../calculators/network/conceptNames.ts';
import type {
  ResolutionTrail,
  TrailFact,
  TrailRoot,
  TrailSource,
  TrailTotal,
} from '../../calculators/trail/resolutionTrail.ts';
import { accessionText } from '../../data/contract/values/filingUrl.ts';
import { checkWords, phrase, rungWords, totalWords, wayOf } from './trailWords.ts';
import { type Branch, treeText } from './treeText.ts';

const buckets = { C: 'current', N: 'noncurrent', T: 'not divided by term' } as const;

/**
 * Prints a trail as a tree: ratio, totals, roots, filed facts; below each total the ways tried and its checks. Each line
 * says what it is, then the figure, then where it comes from, and the rule last.
 *
 * @param unmeasured what the published ratio is where it measures nothing
 */
export function trailTree({ ratio }: ResolutionTrail, unmeasured: string | null = null): string {
  const measured = `debt ÷ coins after a 50 % fall = ${ratio.value} (${ratio.name}, M3.1)`;
  const root = {
    text:
      unmeasured === null ? measured : `debt ÷ coins after a 50 % fall: ${unmeasured} (${ratio.name}, M3.3)`,
    below: ratio.children.map(totalBranch),
  };
  return treeText(root);
}

function totalBranch(total: TrailTotal): Branch {
  const parts = Object.entries(total.parts).map(([name, part]) => `${name} ${grouped(part)}`);
  const split = parts.length === 0 ? '' : ` = ${parts.join(' + ')}`;
  const name = total.side === 'debt' ? 'debt' : 'coins';
  const { words, rule } = totalWords(total);
  return {
    text: `${name} ${grouped(total.value)} USD${split}; ${words} (${rule})`,
    below: [...total.children.map(rootBranch), ...statement(total), ...ladder(total), ...checks(total)],
  };
}

function rootBranch(root: TrailRoot): Branch {
  const { bucket, concept, value, weight, parent, role, rung, reason } = root;
  const way = wayOf(rung);
  const place =
    parent === null ? way.words : `below ${parent}${role === null ? '' : ` in ${shortRole(role)}`}`;
  return {
    text: `${figureOf({ weight, concept, value })}, ${buckets[bucket]}; ${concept}, ${place}; ${phrase(reason)}${ruled(way.rule)}`,
    below: root.children.map((child) => sourceBranch(child, root.concept)),
  };
}

function sourceBranch(source: TrailSource, above: string): Branch {
  switch (source.kind) {
    case 'fact':
      return { text: factText(source, above), below: [] };
    case 'sum':
      return {
        text: `${figureOf(source)}; not filed itself, added up by its arcs in ${shortRole(source.role)} (M1.26)`,
        below: source.children.map((child) => sourceBranch(child, source.concept)),
      };
    case 'price':
      return {
        text: `close of ${source.asset} on ${source.date}: ${source.close} USD; ${source.source} (M2.13)`,
        below: [],
      };
  }
}

function factText(fact: TrailFact, above: string): string {
  const { concept, value, weight, unit, start, end, context, dimensions, decimals, accession, origin } = fact;
  // the line above has said it already
  const named = concept === above ? 'filed' : `${sign(weight)} ${wordsOf(concept).join(' ')}, filed`;
  const details = [
    ...(concept === above ? [] : [concept]),
    accessionText(accession),
    origin,
    ...dimensions.map(({ axis, member }) => `${axis}=${member}`),
    ...(context === null ? [] : [`context ${context}`]),
    ...(decimals === null ? [] : [precisions[decimals] ?? `to ${decimals} decimals`]),
  ];
  const when = start === null ? `at ${end}` : `from ${start} to ${end}`;
  return `${named} ${value === null ? 'as nil' : grouped(value)} ${unit} ${when}; ${details.join(', ')}`;
}

const precisions: Readonly<Record<string, string>> = {
  INF: 'exact',
  '-6': 'to the million',
  '-5': 'to the hundred thousand',
  '-3': 'to the thousand',
  '0': 'to the dollar',
};

/** The lines that document order gives the side, and the sum they close with. */
function statement({ face }: TrailTotal): Branch[] {
  if (face === undefined) return [];
  const { anchor, target, isByEquity, sum, lines } = face;
  const whose = isByEquity ? `${anchor}, the total with equity less equity,` : anchor;
  return [
    {
      text: `${lines.length} lines of the balance sheet add up to ${grouped(sum)} USD; ${whose} is ${grouped(target)} (M1.24c)`,
      below: lines.map(({ concept, value }) => ({
        text: `${wordsOf(concept).join(' ')} ${grouped(value)} USD; ${concept}`,
        below: [],
      })),
    },
  ];
}

function ladder({ rungs }: TrailTotal): Branch[] {
  if (rungs.length === 0) return [];
  return [{ text: 'ways to read it, in order', below: rungs.map((rung) => leaf(rungWords(rung))) }];
}

function checks(total: TrailTotal): Branch[] {
  if (total.checks.length === 0) return [];
  return [{ text: 'checks', below: total.checks.map((check) => leaf(checkWords(check))) }];
}

function leaf({ words, rule }: { readonly words: string; readonly rule: string }): Branch {
  return { text: `${words}${ruled(rule)}`, below: [] };
}

function ruled(rule: string): string {
  return rule === '' ? '' : ` (${rule})`;
}

function figureOf({ weight, concept, value }: Pick<TrailRoot, 'weight' | 'concept' | 'value'>): string {
  return `${sign(weight)} ${wordsOf(concept).join(' ')} ${grouped(value)} USD`;
}

function sign(weight: 1 | -1): string {
  return weight === 1 ? 'plus' : 'less';
}

function shortRole(uri: string): string {
  if (uri === faceOrderRole) return 'the order of the balance sheet';
  return uri.split('/').at(-1) ?? uri;
}
