import { type NewestReport, reportWords } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { type BriefStyle, riskTiers } from '../../data/contract/values/enums.ts';
import { alphaLines, stressLines } from './boardLines.ts';
import { type BriefLine, core, detail, leading, more, must, type SectionLines, when } from './briefLines.ts';
import type { FilingMove } from './changeEvidence.ts';
import { changeLines, movedWords } from './changeSentences.ts';
import { countedText, countText, percentText, ratioText, shareText } from './figureText.ts';
import type { MorningEvidence } from './morningEvidence.ts';
import { codeWords, listed } from './plainText.ts';
import {
  callLines,
  caveatLines,
  filingText,
  readinessLines,
  scaleSentence,
  tierSentence,
} from './sharedSentences.ts';

/** The sections of a morning brief (I2.42). */
export function morningBrief(evidence: MorningEvidence, style: BriefStyle): SectionLines<'morning'> {
  const reference = evidence.reference_covenant_ltv;
  return {
    'Data Slice and Readiness': readinessLines(evidence.source_date, {
      readiness: evidence.readiness,
      style,
    }),
    'Filing Changes Since Last Slice': [
      ...changeLines(evidence.changes, style),
      ...reportLines(evidence.newest_reports ?? []),
    ],
    'Risk Tier Board': tierLines(evidence, style),
    'Most Stressed Issuers': [
      ...when(
        style === 'concise' && evidence.top_stressed.length > 0,
        must('Debt over coins after a 50 % fall.'),
      ),
      ...stressLines(evidence.top_stressed, { style, reference }),
      ...callLines(evidence.margin_calls, style),
    ],
    'Alpha Opportunity Board': [
      ...alphaLines(evidence.alpha_board, style),
      ...(style === 'concise' ? [] : alphaMoves(evidence)),
    ],
    'Dominant Pattern': patternLines(evidence, style),
    'How to Read the Scores': scoreLines(evidence, style),
    'Limits of the Evidence': limitLines(evidence),
    'Next Checks': checkLines(evidence, style),
  };
}

/** What issuers reported between balance sheets in the week, the newest first (M17.33). */
function reportLines(reports: readonly NewestReport[]): BriefLine[] {
  return reports.map((report, i) => (i === 0 ? core : detail)(`- Reported: ${reportWords(report)}`));
}

function tierLines(
  { risk_distribution: counted, changes, pattern }: MorningEvidence,
  style: BriefStyle,
): BriefLine[] {
  const of = (shares: typeof counted.filing) =>
    riskTiers
      .filter((tier) => shares[tier].count > 0)
      .map(
        (tier) =>
          `${tier} ${shares[tier].count}${style === 'concise' ? '' : ` (${percentText(shares[tier].percentage)})`}`,
      )
      .join('; ');
  const moves = (changes?.filings ?? []).filter(({ new_tier }) => new_tier !== null);
  const moved = moves.map((move) => `${move.ticker} ${move.prior_tier} to ${move.new_tier}`);
  return [
    ...when(counted.total === 0, core('No issuer has a row.')),
    ...when(
      counted.total > 0,
      core(`As filed: ${of(counted.filing)}.`),
      ...when(pattern.live_count > 0, core(`At live closes: ${of(counted.live)}.`)),
    ),
    must(tierSentence),
    ...when(
      moved.length > 0 && style !== 'concise',
      leading(core(`Moved by a filing: ${moved.join(', ')}.`)),
    ),
  ];
}

function alphaMoves({ changes }: MorningEvidence): BriefLine[] {
  const [first] = changes?.alpha_moves ?? [];
  if (first === undefined || first.prior_value === null || first.new_value === null) return [];
  return [
    leading(
      core(`Largest change of score: ${first.ticker} from ${first.prior_value} to ${first.new_value}.`),
    ),
  ];
}

function patternLines({ pattern, readiness, market }: MorningEvidence, style: BriefStyle): BriefLine[] {
  if (pattern.ranked_count === 0) return [core('There are no ranked issuers to compare.')];
  const ranked = countedText(pattern.ranked_count, 'ranked issuer');
  const owing = countText(pattern.debt_above_shocked_coins_count);
  const worse = countText(pattern.worse_live_count);
  const isLive = pattern.live_count > 0;
  if (style === 'concise')
    return [
      core(
        `${ranked}; debt at or above the coins after a 50 % fall: ${owing}${isLive ? `; worse tier at live closes than filed: ${worse}` : ''}.`,
      ),
    ];
  const moves = isLive
    ? ` Over the week stress rose for ${countText(pattern.rising_count)} and fell for ${countText(pattern.falling_count)}.`
    : '';
  return [
    core(
      `${pattern.ranked_count === 1 ? 'One issuer is' : `${countText(pattern.ranked_count)} issuers are`} ranked. After a 50 % fall of their coins ${owing} would owe as much as these are worth or more; ${countText(pattern.debt_free_count)} owe nothing.${moves}`,
    ),
    leading(
      core(
        isLive
          ? `At live closes the tier is worse than filed for ${worse} and better for ${countText(pattern.better_live_count)}.`
          : 'No reading is live, so tiers are those of the filings and no direction is known.',
      ),
    ),
    ...when(
      readiness.avg_live_stress_50pct !== null,
      more(
        `Issuers with debt have a mean reading of ${ratioText(readiness.avg_live_stress_50pct ?? 0)}, where debt above the shocked coins counts as equal to them; ${shareText(readiness.high_stress_ratio ?? 0)} of them are under high stress, a reading of ${ratioText(readiness.high_stress_min)} or more.`,
      ),
    ),
    more(towerSentence(readiness)),
    ...marketLines(market),
  ];
}

function towerSentence({ tower_status, tower_coherence }: MorningEvidence['readiness']): string {
  const tower = 'The tower, ranked issuers with debt and the best evidence in their filings,';
  if (tower_status === 'insufficient_data') return `${tower} has too few members for a reading.`;
  const coherence =
    tower_coherence === null
      ? ''
      : `; its coherence, the share whose stress moves the most common way, is ${ratioText(tower_coherence)}`;
  return `${tower} is ${codeWords(tower_status)}${coherence}.`;
}

function marketLines(market: MorningEvidence['market']): BriefLine[] {
  if (market === null) return [detail('Perpetual markets are not part of this slice.')];
  const known = market.filter(({ pressure }) => pressure !== null);
  const reads = known.map(({ underlying, pressure, market_state, funding_annualized: funding }) => {
    const carry = funding === null ? '' : `, funding ${shareText(funding)} a year`;
    return `${underlying} ${ratioText(pressure ?? 0)} ${codeWords(market_state)}${carry}`;
  });
  const made = market.some(({ synthetic }) => synthetic)
    ? ' These observations are made up and marked synthetic.'
    : '';
  if (known.length === 0) return [more('No perpetual product has enough evidence for a pressure.')];
  return [
    more(`Pressure in perpetual markets, a z-score that falling prices raise: ${reads.join('; ')}.${made}`),
  ];
}

function scoreLines(evidence: MorningEvidence, style: BriefStyle): BriefLine[] {
  const reference = ratioText(evidence.reference_covenant_ltv);
  if (style === 'concise') {
    const equal = ratioText(evidence.stress_bands.critical);
    return [
      must(`Reference covenant ${reference}; at ${equal} debt equals the shocked coins.`),
      core(`Alpha runs to ${evidence.alpha_score_max}.`),
    ];
  }
  return [
    must(
      `Distances are to a reference covenant of ${reference}, debt over coins; it is a yardstick and no term of any loan.`,
    ),
    more(scaleSentence(evidence)),
    more(
      `The alpha score runs from 0 to ${evidence.alpha_score_max}: solvency, fit to the regime, rank among peers and treasury; it orders research.`,
    ),
    detail('Live readings hold debt as filed and move the coins with their closes.'),
  ];
}

function limitLines(evidence: MorningEvidence): BriefLine[] {
  const { caveats, unproven, unproven_count: count, excluded_unclassified: out, market } = evidence;
  const where = count > unproven.length ? ` in ${countText(count)} rows. Among them:` : ':';
  return [
    ...caveatLines(caveats),
    ...when(out > 0, more(`- Not ranked: ${countedText(out, 'row')} without a tier.`)),
    ...when(unproven.length > 0, more(`- Debt or coins unproven${where} ${unproven.join(', ')}.`)),
    ...when(market === null, more('- Missing: the market half of the night.')),
  ];
}

function checkLines(
  { changes, margin_calls: calls, top_stressed: rows, unproven, unproven_count: count }: MorningEvidence,
  style: BriefStyle,
): BriefLine[] {
  const filing = changes?.filings[0] ?? null;
  const first = rows[0] ?? null;
  const crossed = calls
    .filter(({ live_price_fall_to_call: fall }) => fall !== null && fall <= 0)
    .map(({ ticker }) => ticker);
  const isShort = style === 'concise';
  const place = (one: Parameters<typeof filingText>[0]) => (isShort ? '' : `, ${filingText(one)}`);
  const checks = [
    ...(filing === null ? [] : [core(`- Notes of ${filing.ticker}${place(filing)}: ${whatMoved(filing)}.`)]),
    ...when(
      crossed.length > 0,
      core(`- Collateral of ${listed(crossed)}: whether any was added since the period end.`),
    ),
    ...(first === null || first.ticker === filing?.ticker
      ? []
      : [core(`- Maturities and lenders of ${first.ticker}${place(first)}.`)]),
    ...when(
      unproven.length > 0,
      core(
        count > 4
          ? `- Notes of ${unproven.slice(0, 3).join(', ')} and others: debt or coins are unproven.`
          : `- Notes of ${listed(unproven)}: debt or coins are unproven.`,
      ),
    ),
  ];
  return checks.length === 0 ? [core('- Nothing in the evidence asks for a check.')] : checks;
}

function whatMoved(filing: FilingMove): string {
  const words = movedWords(filing);
  return words === '' ? 'what the new filing states' : `why its ${words} moved`;
}
