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

/** What a code of a trail says to a reader, and the rule it stands for. */
type Wording = { readonly words: string; readonly rule: string };

// what a reader sees of a code; a code that is not here is shown with its underscores as blanks

/** Steps of the ladders, in the words of "taken from …". */
const ways: Readonly<Record<string, Wording>> = {
  liabilities_walk: { words: 'the liabilities of the calculation linkbase', rule: 'M1.25' },
  face_order: { words: 'the liabilities in the order of the balance sheet', rule: 'M1.24c' },
  direct_precedence: { words: 'single facts, by a fixed order of concepts', rule: 'M1.29' },
  explicit_zero: { words: 'debt filed as zero', rule: 'M1.37' },
  corroborated_zero: { words: 'no debt, confirmed by the liabilities', rule: 'M1.37' },
  financial_institution: { words: 'a bank or broker', rule: 'M1.47' },
  reporting_currency: { words: 'figures in USD', rule: 'M1.7d' },
  assets_walk: { words: 'the assets of the calculation linkbase', rule: 'M2.3' },
  assets_face_order: { words: 'the assets in the order of the balance sheet', rule: 'M1.24c' },
  coins_in_lines: { words: 'a note that equals lines of the balance sheet', rule: 'M2.3b' },
  fair_value_tags: { words: 'fair-value tags', rule: 'M2.4' },
  intangible_line: { words: 'the intangible assets of a coin treasury', rule: 'M2.6' },
  adoption_date_value: { words: 'the fair value on the day of adoption', rule: 'M2.6' },
  units_at_close: { words: 'coins held times a close', rule: 'M2.6' },
  proven_absence: { words: 'no coins, shown by the assets', rule: 'M3.3b' },
  fair_value_disclosed: { words: 'a fair value disclosed beside the cost', rule: 'M2.15' },
  coin_lines: { words: 'lines of the balance sheet with the name of a coin', rule: 'M3.3b' },
  edge: { words: 'the test of what stands beside the coins', rule: 'M2.1b' },
};

const statuses: Readonly<Record<string, string>> = {
  resolved_nonzero: 'found',
  legitimate_zero_debt: 'a measured zero',
  resolved_zero: 'filed as zero',
  low_confidence_missing_debt: 'not proven, some may be missing',
  reported_quantity: 'number of coins as reported',
  fair_value_implied_btc: 'number of bitcoin estimated from the value',
  fair_value_implied_eth: 'number of ether estimated from the value',
  fair_value_implied_other: 'coins other than bitcoin and ether',
  fair_value_disclosed: 'at the fair value that the filing discloses beside the cost',
  mixed_unallocated: 'a mix of coins whose parts are not filed',
  carrying_value_lower_bound: 'at cost, a lower bound',
  unavailable: 'number of coins not known',
};

const methods: Readonly<Record<string, string>> = {
  bs_liabilities_walk: 'read from the liabilities of the calculation linkbase',
  bs_liabilities_and_equity_walk: 'read from liabilities and equity of the calculation linkbase',
  debt_note_network: 'read from the debt note of the calculation linkbase',
  extension_root_rollup: 'read from the calculation linkbase, with concepts of the filer’s own',
};

const dataSources: Readonly<Record<string, string>> = {
  linkbase_rollup: 'added up by its arcs',
  linkbase_rooted_facts: 'every part a standard concept',
  direct_facts_fallback: 'without a linkbase',
};

/** What a check of a rule asks; the check of a statement total goes by the total's concept. */
const checkPhrases: Readonly<Record<string, Wording>> = {
  'M1.31-M1.34': { words: 'filed totals of debt fit their parts', rule: 'M1.31–M1.34' },
  'M1.35': { words: 'debt is within liabilities', rule: 'M1.35' },
  'M1.36': { words: 'admissible totals agree', rule: 'M1.36' },
  'M1.36b': { words: 'all admissible totals give one tier', rule: 'M1.36b' },
  'M1.18b': { words: 'the liabilities have no gap', rule: 'M1.18b' },
  'M1.37b': { words: 'debt explains the interest paid', rule: 'M1.37b' },
};

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
