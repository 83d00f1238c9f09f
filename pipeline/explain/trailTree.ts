import { grouped } from '../../calculators/exact/decimals.ts';
import { faceOrderRole } from '../../calculators/faceOrder/faceNetwork.ts';
import { wordsOf } from '../../calculators/network/conceptNames.ts';
import type {
  ResolutionTrail,
  TrailCheck,
  TrailFact,
  TrailRoot,
  TrailRung,
  TrailSource,
  TrailTotal,
} from '../../calculators/trail/resolutionTrail.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { accessionText } from '../../data/contract/values/filingUrl.ts';
import { type Branch, treeText } from './treeText.ts';
import words from './words.json' with { type: 'json' };

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

/** What a code of a trail says to a reader, and the rule it stands for; of a way in the words of “taken from …”. */
type Wording = { readonly words: string; readonly rule: string };
type Words<T = string> = Readonly<Record<string, T>>;

// a code without words is shown with its underscores as blanks
const ways: Words<Wording> = words.ways;
const checkPhrases: Words<Wording> = words.checks;
const precisions: Words = words.precisions;
const statuses: Words = words.statuses;
const methods: Words = words.methods;
const dataSources: Words = words.data_sources;

const results = { pass: 'holds', fail: 'fails', unbound: 'not tested', stopped: 'stopped' } as const;

/** Phrases of reasons and details that a trail keeps as codes or without an article. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/^dictionary level 1$/, 'a debt line of the dictionary'],
  [/^dictionary level 2$/, 'a debt instrument of the dictionary'],
  [/^dictionary$/, 'a concept of the dictionary'],
  [/^accepted extension/, 'a concept of the filer’s own, accepted by its name'],
  [/^standard concept/, 'a standard concept'],
  [/\b1 roots\b/, '1 line'],
  [/\broots\b/, 'lines'],
  [/^1 line add /, '1 line adds '],
  [/^rule (\d+) of M1\.29 yields /, 'rule $1 gives '],
  [/ that M2\.6 reads as coins$/, ' that reads as coins'],
  [/^(\S+) of (\S+) is 0 above its items$/, '$1 of $2 equals its items'],
  [/ is (\S+) above its items$/, ' is $1 more than its items'],
  [/^total_nil$/, 'the total is filed as nil'],
  [/^no_item_reported$/, 'no item of it is filed'],
  [/^duplicate_facts$/, 'facts of it contradict each other'],
  [/^no_known_digit$/, 'a fact of it has no digit that is known'],
  [/^items add up to (\S+) to (\S+)$/, 'items add up to between $1 and $2'],
];

/** Why or with what: in words, amounts with their thousands apart. */
function phrase(text: string): string {
  const worded = phrases.reduce((words, [code, said]) => words.replace(code, said), text);
  // the digits of an accession number, a day or a name are none
  return worded.replace(/(?<![\w.:/-])-?\d{4,}(?:\.\d+)?(?![\w:/-]|\.\d)/g, (amount) =>
    grouped(ExactDecimal.parse(amount)),
  );
}

/** What a total is and how it was read. */
function totalWords({ side, status, method, dataSource }: TrailTotal): Wording {
  const read = method === null ? 'not resolved' : (methods[method] ?? `read from ${wayOf(method).words}`);
  const from = dataSources[dataSource] ?? blanked(dataSource);
  return {
    words: `${statuses[status] ?? blanked(status)}; ${read}, ${from}`,
    rule: side === 'debt' ? 'M1.27, M1.28, M1.37' : 'M2.3–M2.6, M2.12',
  };
}

function rungWords({ rung, taken, reason }: TrailRung): Wording {
  const { words, rule } = wayOf(rung);
  return { words: `${taken ? '✓ taken' : '· passed over'}: ${words}; ${phrase(reason)}`, rule };
}

const marks = { pass: '✓', fail: '✗', unbound: '·', stopped: '!' } as const;

function checkWords({ check, result, detail }: TrailCheck): Wording {
  const known = checkPhrases[check] ?? { words: `items of ${check} give their total`, rule: 'M1.18' };
  return {
    words: `${marks[result]} ${results[result]}: ${known.words}; ${phrase(detail)}`,
    rule: known.rule,
  };
}

/** The step of a ladder, and of the fixed order of concepts its number too. */
function wayOf(rung: string): Wording {
  const step = /^precedence_\d+$/.test(rung) ? 'direct_precedence' : rung;
  return ways[step] ?? { words: blanked(rung), rule: '' };
}

function blanked(code: string): string {
  return code.replaceAll('_', ' ');
}
