import type { BriefStyle } from '../../data/contract/values/enums.ts';
import { type BriefLine, behind, core, leading, more, when } from './briefLines.ts';
import type { ChangeEvidence, FilingMove } from './changeEvidence.ts';
import { countedText, countText, usdText } from './figureText.ts';
import { listed, memberWords } from './plainText.ts';
import { filingText } from './sharedSentences.ts';

const figureNames: Readonly<Record<string, string>> = {
  total_long_term_debt: 'debt',
  total_crypto_fair_value: 'coins',
  cash_and_equivalents: 'cash',
  total_equity: 'equity',
};

const shortList = 5;

/** What filings changed since the slice before, the largest first; or that nothing did, and why. */
export function changeLines(changes: ChangeEvidence | null, style: BriefStyle): BriefLine[] {
  if (changes === null) return [core('The changes of the night are not part of this slice.')];
  const { filings, entered, left, loans, not_listed: rest } = changes;
  if (style === 'concise') return shortLines(changes);
  return [
    core(headline(changes)),
    ...filings.map((move, i) => {
      const line = core(`- ${filingMoveSentence(move, style)}`);
      return i === 0 ? leading(line) : line;
    }),
    ...when(rest.filings > 0, behind(core(`- ${countedText(rest.filings, 'more filing')} came into force.`))),
    ...changes.tier_moves_on_same_filing.map((move) =>
      core(`- ${move.ticker}: ${move.prior_tier} to ${move.new_tier} on the same filing, by age or method.`),
    ),
    ...when(
      rest.tier_moves_on_same_filing > 0,
      behind(core(`- ${countedText(rest.tier_moves_on_same_filing, 'more tier')} moved on the same filing.`)),
    ),
    ...entered.map((one) =>
      core(
        `- ${one.ticker} enters with its ${filingText(one)}${one.risk_tier === null ? '' : `: ${one.risk_tier}`}.`,
      ),
    ),
    ...when(rest.entered > 0, behind(core(`- ${countedText(rest.entered, 'more new row')}.`))),
    ...when(left.length > 0, core(`- ${listed(left)}: no row any more.`)),
    ...when(rest.left > 0, behind(core(`- ${countedText(rest.left, 'more row')} gone.`))),
    ...loans.map((loan) => more(`- ${loanSentence(loan)}`)),
    ...when(rest.loans > 0, behind(more(`- ${countedText(rest.loans, 'more loan')} changed.`))),
  ];
}

function shortLines(changes: ChangeEvidence): BriefLine[] {
  const { filings, entered, not_listed: rest } = changes;
  const before = changes.comparison_source_date ?? '';
  const isCutAt = (list: readonly unknown[], more: number) => more > 0 || list.length > shortList;
  if (filings.length === 0 && entered.length === 0) return [core(headline(changes))];
  const names = filings.map(({ ticker, prior_tier, new_tier }) =>
    prior_tier === null || new_tier === null ? ticker : `${ticker} ${prior_tier} to ${new_tier}`,
  );
  const [first] = filings;
  return [
    ...when(
      names.length > 0,
      core(
        isCutAt(filings, rest.filings)
          ? `New filings since ${before}: ${countText(changes.filing_count)}. Among them: ${names.slice(0, shortList).join(', ')}.`
          : `New filings since ${before}: ${names.join(', ')}.`,
      ),
    ),
    ...when(
      entered.length > 0,
      core(
        `${isCutAt(entered, rest.entered) ? 'Among the new rows' : 'New rows'}: ${entered
          .slice(0, shortList)
          .map(({ ticker }) => ticker)
          .join(', ')}.`,
      ),
    ),
    ...(first === undefined
      ? []
      : [behind(core(`First: ${filingMoveSentence({ ...first, new_tier: null }, 'concise')}`))]),
  ];
}

function headline(changes: ChangeEvidence): string {
  const { comparison_source_date: before, universe_stats: told } = changes;
  const since = changes.baseline_source_date;
  if (before === null) return 'No earlier slice is held to compare this one with.';
  if (changes.filings.length === 0 && changes.entered.length === 0 && changes.left.length === 0)
    return `No new filing has come into force since the slice of ${before}${changes.gate_passed ? '' : ', and no tracked figure changed'}.`;
  const facts = since === null ? '' : ` ${factsSentence(since, told)}`;
  const count = changes.filing_count;
  const filings =
    count === 0
      ? ' no filing was replaced.'
      : ` ${countText(count)} ${count === 1 ? 'filing has' : 'filings have'} come into force in place of an older one.`;
  return `Since the slice of ${before}:${filings}${facts}`;
}

/** Whose filed facts changed between two scans: companies of the universe, and how many others. */
function factsSentence(
  since: string,
  {
    company_count: ours,
    new_company_count: added,
    other_company_count: others,
  }: ChangeEvidence['universe_stats'],
): string {
  const who = ours === 0 ? 'no company' : countedText(ours, 'company', 'companies');
  const fresh = added === 0 ? '' : ` (${countText(added)} new)`;
  const rest = others === 0 ? '' : `, and of ${countText(others)} outside it`;
  return `Since the scan of ${since} filed facts of ${who} of the universe changed${fresh}${rest}.`;
}

/** A filing that came into force: what it is, which tier it moved, which figures from what to what. */
export function filingMoveSentence(move: FilingMove, style: BriefStyle): string {
  const head = `${move.ticker}, ${filingText(move)}`;
  const tier =
    move.prior_tier === null || move.new_tier === null ? [] : [`tier ${move.prior_tier} to ${move.new_tier}`];
  const figures = move.figures.flatMap(figureMove).slice(0, style === 'concise' ? 1 : 4);
  const parts = [...tier, ...figures];
  const method = move.method_changed
    ? ' Its figures rest on other evidence than before, so part of the move is one of method.'
    : '';
  return `${head}: ${parts.length === 0 ? 'no tracked figure moved' : parts.join(', ')}.${style === 'concise' ? '' : method}`;
}

/** What a filing moved from one known figure to another, in words: `debt and coins`; empty where it moved none. */
export function movedWords({ figures }: FilingMove): string {
  const moved = figures.filter(
    (figure) => figure.prior_value !== null && figure.new_value !== null && figureMove(figure).length > 0,
  );
  return listed(moved.map(({ field }) => figureNames[field] ?? field));
}

/** A figure that moved as far as it prints; a move below that is none to tell. */
function figureMove(figure: FilingMove['figures'][number]): string[] {
  const { prior_value: prior, new_value: value } = figure;
  const name = figureNames[figure.field] ?? figure.field;
  if (value === null) return [`${name} no longer known (${usdText(prior ?? '0')} before)`];
  if (prior === null) return [`${name} ${usdText(value)} (not known before)`];
  const [from, to] = [usdText(prior), usdText(value)];
  return from === to ? [] : [`${name} ${from} to ${to}`];
}

/** A loan that a new filing states, states otherwise, or does not show. */
export function loanSentence(loan: ChangeEvidence['loans'][number]): string {
  const name = `${loan.ticker} ${memberWords(loan.name)}`;
  if (loan.change === 'not_shown') {
    const before = loan.prior_drawn === null ? '' : `, before ${usdText(loan.prior_drawn)}`;
    return `Loan, ${name}: not among the loans read from the new filing${before}; that is no proof of repayment.`;
  }
  const drawn = loan.drawn === null ? 'amount not stated' : `${usdText(loan.drawn)} drawn`;
  const from =
    loan.change === 'changed' && loan.prior_drawn !== null ? `, before ${usdText(loan.prior_drawn)}` : '';
  const coins = loan.collateral_asset === null ? '' : ` against ${loan.collateral_asset}`;
  const first = loan.change === 'new' ? 'new among the loans read, ' : '';
  return `Loan, ${name}: ${first}${drawn}${coins} at ${loan.as_of}${from}.`;
}
