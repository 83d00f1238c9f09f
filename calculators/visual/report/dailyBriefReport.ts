import {
  type CovenantStress,
  newestReports,
  reportWords,
} from '../../../data/contract/payloads/issuer/covenantStress.ts';
import type { RiskTierMove } from '../../../data/contract/payloads/universe/dailyChanges.ts';
import { toldChanges } from '../../../data/contract/payloads/universe/latestDailyChanges.ts';
import type { RiskDistribution } from '../../../data/contract/payloads/universe/riskDistribution.ts';
import { disclaimer, tierMeaning } from '../../../data/contract/values/disclaimer.ts';
import type { MarketRegime } from '../../../data/contract/values/enums.ts';
import { alphaBars } from '../chart/alphaBars.ts';
import type { Chart } from '../chart/chart.ts';
import { capital, countText, percentText, ratioText } from '../chart/figures.ts';
import { pressureRows } from '../chart/pressureRows.ts';
import { priceRows } from '../chart/priceRows.ts';
import { regimeName, regimeStrip } from '../chart/regimeStrip.ts';
import { stressLadder } from '../chart/stressLadder.ts';
import { tierBars, tierOfOne } from '../chart/tierBars.ts';
import { tierMoves } from '../chart/tierMoves.ts';
import type { DailyBriefFacts } from './dailyBriefPayload.ts';
import { type Card, card, enterpriseLevel, type KeyFigure, type Report, stressTerm } from './report.ts';

/** One drawing serves phone, column and half a page (V38). */
const width = 360;
const shownMoves = 6;

/** The daily brief of a slice (V56): every figure is one of the facts at printed precision, no sentence says why. */
export function dailyBriefReport(facts: DailyBriefFacts): Report {
  const { sourceDate, publishedAt } = facts;
  return {
    title: `Daily brief ${sourceDate}`,
    sourceDate,
    source: 'SEC companyfacts and stored closes',
    publishedAt,
    headline: dailyBriefHeadline(facts),
    lede: dailyBriefLede(facts),
    keyFigures: keyFigures(facts),
    cards: cards(facts),
    terms: terms(facts),
    boundary: [
      'Figures come from public filings and stored prices; nothing is asked of a venue or an issuer for this brief.',
      enterpriseLevel,
      `The reference covenant of ${ratioText(facts.bands.stress.covenant)} is a yardstick for all issuers, not a term of their loans.`,
    ],
    caveats: caveats(facts),
    disclaimer,
    names: namesOf(facts),
  };
}

/** The companies behind the tickers of ladder and board; those that moved stand with their names in their table. */
function namesOf({ stressed, board }: DailyBriefFacts): ReadonlyMap<string, string> {
  return new Map(
    [...stressed, ...board].flatMap(({ ticker, entity_name: name }) =>
      name == null ? [] : [[ticker, name] as const],
    ),
  );
}

function keyFigures({ readiness, risk, changes, comparedWith }: DailyBriefFacts): readonly KeyFigure[] {
  const { total } = risk.shown.meta;
  const week = readiness.btc_7d_change_pct ?? null;
  const { company_count: ours, new_company_count: added, other_company_count: others } = toldChanges(changes);
  return [
    { label: 'Issuers in the slice', value: countText(total), note: null },
    {
      label: `CRITICAL ${basisWords(risk.shown)}`,
      value: countText(risk.shown.CRITICAL.count),
      note: total === 0 ? null : `of ${countText(total)}`,
    },
    week === null
      ? { label: 'Bitcoin, 7 days', value: 'unknown', note: 'a close is missing' }
      : { label: 'Bitcoin, 7 days', value: signedPercent(week), note: null },
    comparedWith === null
      ? { label: 'Companies with changed facts', value: 'unknown', note: 'no earlier archive' }
      : {
          label: 'Companies with changed facts',
          value: countText(ours),
          note: changeNote({ added, others }),
        },
  ];
}

function changeNote({ added, others }: { added: number; others: number }): string | null {
  const parts = [
    ...(added === 0 ? [] : [`${countText(added)} of them new`]),
    ...(others === 0 ? [] : [`${countText(others)} outside the universe`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

function cards(facts: DailyBriefFacts): readonly Card[] {
  const { sourceDate, risk, changes, bands } = facts;
  return [
    ofChart('ladder', stressLadder({ rows: facts.stressed, bands: bands.stress, sourceDate, width })),
    ofChart('tiers', tierBars({ live: risk.shown, filing: risk.filing, width })),
    changes.risk_tier_moves === undefined
      ? card({
          id: 'moves',
          heading: 'Tier moves are not known',
          paragraphs: [
            `No slice before that of ${sourceDate} is held, so its tiers are compared with nothing.`,
          ],
        })
      : ofChart('moves', movesSince(changes.risk_tier_moves, facts)),
    ...reportedCard(facts),
    ...capitalCard(facts),
    ofChart('regime', regimeStrip({ days: facts.regimes, width })),
    pricesCard(facts),
    facts.products === null
      ? card({
          id: 'pressure',
          heading: 'No market half',
          paragraphs: [`The slice of ${sourceDate} has no observations of perpetual contracts.`],
        })
      : ofChart('pressure', pressureRows({ products: facts.products, bands: bands.pressure, width })),
    ofChart('alpha', alphaBars({ rows: facts.board, sourceDate, width })),
  ];
}

/** The newest event of each issuer in the week and the age of its live coins; none where nothing was reported. */
function reportedCard({ stressed, sourceDate }: DailyBriefFacts): Card[] {
  const reports = newestReports(stressed, { day: sourceDate, limit: 5 });
  if (reports.length === 0) return [];
  const heading = 'Reported since the balance sheets';
  // a number and its unit stay on one line
  const paragraphs = reports.map((one) => reportWords(one).replaceAll(/(?<=\d) (?=[MB]\b)/g, '\u00a0'));
  return [card({ id: 'reported', heading, paragraphs })];
}

/** A line about a capital structure, as the daily changes hold it. */
type CapitalLine = { readonly ticker: string; readonly text: string; readonly accession_number: string };

/** What moved of capital structures since the slice before, the first line of an issuer first; none where nothing did (M18.86). */
function capitalCard({ changes }: DailyBriefFacts): Card[] {
  const movement = changes.movement_summary as
    | { readonly capital_moves?: readonly CapitalLine[] }
    | undefined;
  const moves = movement?.capital_moves ?? [];
  if (moves.length === 0) return [];
  const paragraphs = moves
    .slice(0, shownMoves)
    .map(({ ticker, text, accession_number: accession }) => `${ticker}: ${text} (${accession}).`);
  const more = moves.length - shownMoves;
  const rest =
    more > 0
      ? [`${countText(more)} more ${more === 1 ? 'line stands' : 'lines stand'} in the daily changes.`]
      : [];
  const heading = 'Capital structures that changed';
  return [card({ id: 'capital', heading, paragraphs: [...paragraphs, ...rest] })];
}

function pricesCard({ coins, sourceDate }: DailyBriefFacts): Card {
  return coins.some(({ closes }) => closes.some(({ close }) => close !== null))
    ? ofChart('prices', priceRows({ coins, width }))
    : card({
        id: 'prices',
        heading: 'No closes',
        paragraphs: [`No close of a coin is stored for the days up to ${sourceDate}.`],
      });
}

function movesSince(
  moves: readonly RiskTierMove[],
  { sourceDate, changes: { comparison_source_date: before } }: DailyBriefFacts,
): Chart {
  const chart = tierMoves({ moves, sourceDate, width });
  if (before === undefined) return chart;
  const since = `Tiers by the filings, compared with the slice of ${before}.`;
  return { ...chart, sentence: moves.length === 0 ? since : `${chart.sentence} ${since}` };
}

function ofChart(id: string, chart: Chart): Card {
  const { finding, sentence, desc, table } = chart;
  // a picture stands beside its figures; without a figure its words are all there is
  if (table.rows.length === 0)
    return card({ id, heading: finding, paragraphs: [...new Set([desc, sentence])] });
  return { id, heading: finding, paragraphs: [sentence], chart, table };
}

function terms(facts: DailyBriefFacts): Report['terms'] {
  const { bands, risk } = facts;
  const { moderate, high, critical, covenant } = bands.stress;
  const names = [...namesOf(facts)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    {
      term: 'Slice',
      explanation: `The data of one date: of every issuer the filing in force on ${risk.shown.meta.source_date}, its figures, and the closes of the day.`,
    },
    stressTerm,
    {
      term: 'Tiers',
      explanation: `By stress after a fall of 50\u00a0%: MODERATE from ${ratioText(moderate)}, HIGH from ${ratioText(high)}, CRITICAL from ${ratioText(critical)}, one notch worse for a named reason; UNCLASSIFIED where debt or coins are unproven, coins are none, incidental or at a cost that proves no tier, or type, quality or age of the filing forbids one. ${capital(tierMeaning)}.`,
    },
    ...(risk.shown.meta.basis === 'live'
      ? [
          {
            term: 'Live prices',
            explanation: `The stored closes of ${risk.shown.meta.source_date} on the coins of the last filing.`,
          },
        ]
      : []),
    {
      term: 'Reference covenant',
      explanation: `A loan-to-value of ${ratioText(covenant)} against which the headroom of every issuer is measured.`,
    },
    {
      term: 'Pressure',
      explanation:
        'A z-score of a perpetual product against its own past: the mean of carry, positioning and price, where falling prices raise it; the state is its band.',
    },
    {
      term: 'Alpha score',
      explanation: 'Clean debt, resilience, fit to the regime and treasury, 0 to 100; a ranking aid.',
    },
    // paper and touch have no title to hover over
    ...(names.length === 0
      ? []
      : [
          {
            term: 'Tickers',
            explanation: `${names.map(([ticker, name]) => `${ticker} ${name}`).join('; ')}.`,
          },
        ]),
  ];
}

function caveats(facts: DailyBriefFacts): readonly string[] {
  const { risk, readiness, changes, regimes, products } = facts;
  const { total } = risk.shown.meta;
  const withoutRegime = regimes.filter(({ regime }) => regime === null).length;
  const said: (string | null)[] = [
    untieredSentence(facts.untiered, total),
    readiness.low_confidence_missing_debt_count === 0
      ? null
      : `The debt of ${counted(readiness.low_confidence_missing_debt_count, 'issuer')} may be incomplete.`,
    facts.sliceStatus === 'partial'
      ? 'The slice is partial: issuers of the slice before it are missing.'
      : null,
    readiness.live_prices_active === true || total === 0
      ? null
      : 'The slice was not repriced: tiers and stress are those of the filings.',
    withoutRegime === 0 || withoutRegime === regimes.length
      ? null
      : `${counted(withoutRegime, 'day')} of ${countText(regimes.length)} ${withoutRegime === 1 ? 'has' : 'have'} too few closes for a market regime.`,
    products === null ? 'The slice has no market half: pressure of perpetual products is missing.' : null,
    madeUpSentence(products ?? []),
    changes.freshness_note ?? null,
  ];
  return said.filter((sentence) => sentence !== null);
}

/** Which products are read from made-up observations; null without any. */
function madeUpSentence(products: NonNullable<DailyBriefFacts['products']>): string | null {
  const names = products.filter(({ isMadeUp }) => isMadeUp).map(({ product }) => product);
  return names.length === 0
    ? null
    : `The observations of ${names.join(', ')} are made up for a demonstration (synthetic): their pressure is of no market.`;
}

function signedPercent(value: number): string {
  const text = percentText(value);
  return text.startsWith('\u2212') || Number.parseFloat(text) === 0 ? text : `+${text}`;
}

/** Why a row has no tier, first match (M3.10): its words, and whether they hold for the row. */
const reasons: readonly (readonly [words: string, holds: (row: CovenantStress) => boolean])[] = [
  ['with unproven debt or coins', ({ figures_basis: basis = 'resolved' }) => basis !== 'resolved'],
  [
    'without coins',
    (row) => row.treasury_relevance === 'none' || noted(row, 'no_crypto', 'no_crypto_denominator'),
  ],
  ['with incidental coins', (row) => row.treasury_relevance === 'incidental'],
  ['with coins at a cost that proves no tier', (row) => noted(row, 'tier_at_most')],
  ['by type of issuer, quality or age of the filing', () => true],
];

/** How many issuers have no tier, and how many for each reason; null where all have one. */
export function untieredSentence(rows: readonly CovenantStress[], total: number): string | null {
  if (rows.length === 0) return null;
  const groups = Map.groupBy(rows, (row) => reasons.findIndex(([, holds]) => holds(row)));
  const parts = reasons.flatMap(([words], i) => {
    const count = groups.get(i)?.length ?? 0;
    return count === 0 ? [] : [total === 1 ? words : `${countText(count)} ${words}`];
  });
  if (total === 1) return `The one issuer of the slice cannot be classified, ${parts.join(', ')}.`;
  return `${counted(rows.length, 'issuer')} of ${countText(total)} cannot be classified: ${parts.join(', ')}.`;
}

function noted({ data_quality_notes: notes = [] }: CovenantStress, ...kinds: readonly string[]): boolean {
  return notes.some((note) => kinds.includes(note.split(':')[0] ?? ''));
}

/** What last night found, in one sentence of at most 200 characters: where the issuers stand, and how many moved. */
export function dailyBriefHeadline({ risk, changes, sourceDate }: DailyBriefFacts): string {
  const shown = risk.shown;
  const { total } = shown.meta;
  if (total === 0) return `No issuer has a filing in force on ${sourceDate}`;
  const moves = changes.risk_tier_moves?.length ?? 0;
  // moves are of the tiers by the filings, independent of the count before them
  const basis = shown.meta.basis === 'live' ? ' by filing' : '';
  return `${standing(shown)}${moves === 0 ? '' : `; ${counted(moves, 'issuer')} changed tier${basis}`}`;
}

function standing(shown: RiskDistribution): string {
  const { total } = shown.meta;
  const of = `${countText(total)} ${total === 1 ? 'issuer' : 'issuers'}`;
  for (const tier of ['CRITICAL', 'HIGH', 'MODERATE'] as const) {
    const { count } = shown[tier];
    if (count > 0)
      return total === 1
        ? `The one issuer of the slice sits in the ${tier} tier ${basisWords(shown)}`
        : `${countText(count)} of ${of} ${count === 1 ? 'sits' : 'sit'} in the ${tier} tier ${basisWords(shown)}`;
  }
  if (shown.LOW.count > 0 && total === 1) return `The one issuer of the slice is LOW ${basisWords(shown)}`;
  if (shown.LOW.count > 0)
    return `No issuer is above the LOW tier ${basisWords(shown)}: ${countText(shown.LOW.count)} of ${of} ${shown.LOW.count === 1 ? 'is' : 'are'} LOW`;
  return total === 1 ? 'The one issuer of the slice cannot be classified' : `None of ${of} can be classified`;
}

/** On which prices tiers are counted, in words. */
export function basisWords({ meta }: RiskDistribution): string {
  return meta.basis === 'live' ? 'at live prices' : 'by the filings';
}

/** What stands behind the headline: the count by the filings, the coins, the regime, what was filed. */
export function dailyBriefLede(facts: DailyBriefFacts): string {
  const { readiness } = facts;
  const sentences = [
    filingSentence(facts),
    coinSentence(readiness.btc_7d_change_pct ?? null, readiness.market_regime ?? null),
    changeSentence(facts),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function filingSentence({ risk: { filing, shown }, coins, sourceDate }: DailyBriefFacts): string {
  if (shown.meta.total === 0) return '';
  if (filing === null) {
    const hasClose = coins.some(({ closes }) =>
      closes.some(({ date, close }) => date === sourceDate && close !== null),
    );
    return hasClose
      ? 'No issuer has proven coins that a close of the day reprices.'
      : 'No coin was repriced: the closes of the day are missing.';
  }
  if (filing.meta.total === 1) return `By its filing it is ${tierOfOne(filing)}.`;
  const tier = (['CRITICAL', 'HIGH', 'MODERATE'] as const).find((one) => shown[one].count > 0);
  if (tier === undefined) return '';
  const [now, filed] = [shown[tier].count, filing[tier].count];
  if (now === filed) return `By the filings alone as many are ${tier}.`;
  return filed === 0
    ? `By the filings alone none is ${tier}.`
    : `By the filings alone ${counted(filed, 'issuer')} ${filed === 1 ? 'is' : 'are'} ${tier}.`;
}

function coinSentence(week: number | null, regime: MarketRegime | null): string {
  const state =
    regime === null ? 'no market regime can be read' : `the market regime is ${regimeName(regime)}`;
  if (week === null) return `The seven-day change of bitcoin is not known; ${state}.`;
  const way = week < 0 ? 'fell' : 'rose';
  return week === 0
    ? `Bitcoin is where it was seven days ago; ${state}.`
    : `Bitcoin ${way} by ${percentText(Math.abs(week))} in seven days; ${state}.`;
}

function changeSentence({ comparedWith, changes }: DailyBriefFacts): string {
  if (comparedWith === null)
    return 'The archive was read for the first time, so no change of filed facts is known.';
  const { company_count: ours, new_company_count: added, other_company_count: others } = toldChanges(changes);
  const rest = others === 0 ? '' : `; outside it ${counted(others, 'company', 'companies')} did`;
  if (ours === 0) return `No company of the universe changed its filed facts${rest}.`;
  const earlier =
    changes.daily_change_selector_status === 'rolled_back_to_promoted_issuer_delta'
      ? ` in the last delta that passed the gate${dated(changes.meaningful_tracked_crypto_delta_source_date)}`
      : '';
  const fresh = added === 0 ? '' : `, ${countText(added)} of them new`;
  return `${counted(ours, 'company', 'companies')} of the universe changed filed facts${fresh}${earlier}${rest}.`;
}

const dated = (date: string | undefined) => (date === undefined ? '' : `, of ${date}`);

/** A count with its noun: `1 issuer`, `12 issuers`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
