import type { CapitalPayload } from '../../../data/contract/payloads/issuer/capital.ts';
import type { CovenantStress } from '../../../data/contract/payloads/issuer/covenantStress.ts';
import type { PeerRanking } from '../../../data/contract/payloads/issuer/peerRanking.ts';
import type { RiskTierMove } from '../../../data/contract/payloads/universe/dailyChanges.ts';
import { disclaimer, tierMeaning } from '../../../data/contract/values/disclaimer.ts';
import { figureTable } from '../chart/chart.ts';
import { capital, countText, ratioPercentText, ratioText, stressText, usdText } from '../chart/figures.ts';
import type { StressBands } from '../chart/stressHistory.ts';
import { capitalCards, type LiveCoins } from './capitalCards.ts';
import { issuerVerdict } from './issuerVerdict.ts';
import {
  amount,
  type Card,
  card,
  enterpriseLevel,
  type KeyFigure,
  type Report,
  stressTerm,
} from './report.ts';

/** What the page of one issuer is made from: its rows of the slice, and words made of them elsewhere. */
export type IssuerFacts = {
  readonly sourceDate: string;
  readonly publishedAt: string;
  readonly stress: CovenantStress;
  readonly ranking: PeerRanking | null;
  /** Why the issuer has no rank; null where it has one. */
  readonly unranked: string | null;
  /** A sentence a loan: how far the close is from a margin call (M16.9). */
  readonly calls: readonly string[];
  /** Filings since the balance sheet, the balance sheet first. */
  readonly filings: readonly FiledDocument[];
  /** Facts of the issuer that differ since the archive before; null without one. */
  readonly changedFacts: number | null;
  /** null where its tier is that of the slice before; undefined where no slice before is held. */
  readonly tierMove: RiskTierMove | null | undefined;
  /** Who is paid first and when; null where it could not be made. */
  readonly capital: CapitalPayload | null;
  readonly bands: StressBands;
};

export type FiledDocument = {
  readonly form: string;
  readonly label: string;
  readonly filed: string;
  readonly accession: string;
  readonly url: string | null;
};

const mostFilings = 8;

/** The page of one issuer (V57): every figure is one of its row at printed precision, each leads to its filing. */
export function issuerReport(facts: IssuerFacts): Report {
  const { stress, sourceDate, publishedAt } = facts;
  return {
    title: `${stress.ticker} ${sourceDate}`,
    sourceDate,
    source: `${stress.filing_form ?? 'filing'} ${stress.accession_number}, stored closes`,
    publishedAt,
    ...issuerVerdict(stress),
    keyFigures: keyFigures(facts),
    cards: [
      ratiosCard(facts),
      positionCard(facts),
      callsCard(facts),
      ...(facts.capital === null ? [] : capitalCards(facts.capital, liveCoins(facts))),
      changesCard(facts),
      peersCard(facts),
      filingsCard(facts),
      ...unknownCard(facts),
    ],
    terms: [
      stressTerm,
      {
        term: 'Tiers',
        explanation: `By stress after a fall of 50\u00a0%: MODERATE from ${ratioText(facts.bands.moderate)}, HIGH from ${ratioText(facts.bands.high)}, CRITICAL from ${ratioText(facts.bands.critical)}. ${capital(tierMeaning)}.`,
      },
      {
        term: 'Live',
        explanation: `Coins at the closes stored for ${sourceDate}, in the number filed or since stated by the issuer.`,
      },
    ],
    boundary: [
      'Figures come from the filings named here and stored closes; nothing is asked of the issuer.',
      enterpriseLevel,
      'A figure that is not filed as a fact is not known here; that does not say that there is none.',
    ],
    caveats: [],
    disclaimer,
  };
}

/** A lower bound is not a figure of the issuer. */
const isProven = ({ figures_basis: basis = 'resolved' }: CovenantStress) => basis === 'resolved';

/** Why debt over coins says nothing of the issuer; null where it is a reading. */
function noRatio(stress: CovenantStress): string | null {
  if (!isProven(stress)) return 'debt or coins are not proven';
  return amount(stress.total_crypto_fair_value) > 0 ? null : 'no coins to set debt against';
}

function keyFigures({ stress, ranking, unranked }: IssuerFacts): readonly KeyFigure[] {
  const unproven = isProven(stress) ? null : 'proven part, a lower bound';
  const coins = amountOrNull(stress.live_total_crypto_fair_value);
  const live = stress.live_stress_50pct ?? null;
  const atFiling = stress.period === undefined ? 'by the filing' : `by the filing of ${stress.period}`;
  return [
    {
      label: 'Debt, USD',
      value: usdText(amount(stress.total_long_term_debt)),
      note: unproven ?? (stress.period === undefined ? null : `at ${stress.period}`),
    },
    {
      label: coins === null ? 'Coins, USD' : 'Coins at live prices, USD',
      value:
        unproven === null && (coins ?? amount(stress.total_crypto_fair_value)) === 0
          ? 'none'
          : usdText(coins ?? amount(stress.total_crypto_fair_value)),
      note:
        unproven ??
        (coins === null ? null : `${usdText(amount(stress.total_crypto_fair_value))} ${atFiling}`),
    },
    noRatio(stress) === null
      ? {
          label: `Stress at \u221250\u00a0%, ${live === null ? 'as filed' : 'live'}`,
          value: stressText(live ?? stress.stress_50pct),
          note: live === null ? null : `${stressText(stress.stress_50pct)} ${atFiling}`,
        }
      : { label: 'Stress at \u221250\u00a0%', value: 'none', note: noRatio(stress) },
    ranking === null
      ? { label: 'Rank', value: 'none', note: unranked }
      : {
          label: 'Rank by stress',
          value: `${countText(ranking.peer_rank)} of ${countText(ranking.peer_count)}`,
          note: '1 is the highest risk',
        },
  ];
}

function ratiosCard({ stress, sourceDate }: IssuerFacts): Card {
  const debt = amount(stress.total_long_term_debt);
  const coins = amount(stress.total_crypto_fair_value);
  const today = coins > 0 ? debt / coins : null;
  const liveCoins = amountOrNull(stress.live_total_crypto_fair_value);
  // at live prices debt may have moved with the units (M17.26), so today's ratio follows from the shocked one
  const liveToday = stress.live_stress_50pct == null ? null : stress.live_stress_50pct / 2;
  const why = noRatio(stress);
  const proven = (value: number | null) => (why === null ? value : null);
  const rows = [
    { fall: 0, filed: today, live: liveToday },
    { fall: 30, filed: stress.stress_30pct, live: stress.live_stress_30pct ?? null },
    { fall: 50, filed: stress.stress_50pct, live: stress.live_stress_50pct ?? null },
    { fall: 70, filed: stress.stress_70pct, live: stress.live_stress_70pct ?? null },
  ];
  return card({
    id: 'ratios',
    heading: why === null ? 'Debt against the coins as they fall' : `No ratio: ${why}`,
    paragraphs:
      why === null
        ? [
            liveCoins === null
              ? 'There is no close for every coin, so the filing stands alone.'
              : `The coins of the balance sheet were worth ${usdText(coins)}; those held now are worth ${usdText(liveCoins)} at the closes of ${sourceDate}.`,
          ]
        : [],
    table: figureTable({
      caption: `Debt over coins of ${stress.ticker} after a fall of their price`,
      unit: 'debt over coins, ratio',
      none: 'not known',
      rows,
      columns: [
        {
          ...{ words: 'Fall of the coins', of: 'fall', name: 'fall_pct' },
          as: (fall) => (fall === 0 ? 'today' : `\u2212${fall}\u00a0%`),
        },
        { figures: 'By the filing', of: ({ filed }) => proven(filed), name: 'stress_filed', as: stressText },
        { figures: 'At live prices', of: ({ live }) => proven(live), name: 'stress_live', as: stressText },
      ],
    }),
  });
}

function positionCard({ stress, sourceDate }: IssuerFacts): Card {
  const filedOn = stress.period ?? sourceDate;
  const units = stress.live_units;
  const rows: readonly { what: string; usd: number | null; day: string }[] = [
    { what: 'Debt', usd: amount(stress.total_long_term_debt), day: filedOn },
    ...(stress.current_debt === undefined
      ? []
      : [{ what: 'of it current', usd: amount(stress.current_debt), day: filedOn }]),
    { what: 'Coins as filed', usd: amount(stress.total_crypto_fair_value), day: filedOn },
    { what: 'Coins at live prices', usd: amountOrNull(stress.live_total_crypto_fair_value), day: sourceDate },
    ...(stress.shocked_equity_50pct == null
      ? []
      : [{ what: 'Equity after \u221250\u00a0%', usd: amount(stress.shocked_equity_50pct), day: filedOn }]),
  ];
  const stated =
    units === undefined
      ? []
      : [
          `Live figures rest on ${countText(units)} ${stress.live_units_asset ?? 'coins'}, stated by the issuer for ${stress.live_units_as_of} (${stress.live_units_accession}).`,
        ];
  const held = [
    ...(stress.bitcoin_units_held == null ? [] : [`${countText(stress.bitcoin_units_held)} BTC`]),
    ...(stress.ethereum_units_held == null ? [] : [`${countText(stress.ethereum_units_held)} ETH`]),
  ];
  return card({
    id: 'position',
    heading: 'Debt and coins',
    paragraphs: [
      ...(held.length === 0 ? [] : [`Units at the balance sheet: ${held.join(', ')}.`]),
      ...stated,
    ],
    table: figureTable({
      caption: `Debt and coins of ${stress.ticker}, US dollars`,
      unit: 'USD',
      rows,
      columns: [
        { words: 'Figure', of: 'what', name: 'figure' },
        { figures: 'USD', of: 'usd', as: usdText, none: 'not known' },
        { figures: 'Day', of: 'day' },
      ],
    }),
  });
}

function callsCard({ stress, calls }: IssuerFacts): Card {
  const loans = stress.facilities ?? [];
  if (loans.length === 0)
    return card({
      id: 'calls',
      heading: 'No margin call is filed',
      paragraphs: [
        'No loan secured by coins is filed as a fact, which says nothing of loans that are not tagged.',
      ],
    });
  return card({
    id: 'calls',
    heading: `Margin calls of ${loans.length === 1 ? 'one loan' : `${countText(loans.length)} loans`}`,
    paragraphs: calls,
    table: figureTable({
      caption: `Loans of ${stress.ticker} that coins secure`,
      unit: 'USD and ratios',
      none: 'not filed',
      rows: loans,
      columns: [
        { words: 'Loan', of: 'name', name: 'loan', text: ({ name }) => memberText(name) },
        { figures: 'Drawn', of: ({ drawn }) => amountOrNull(drawn), name: 'drawn_usd', as: usdText },
        {
          ...{ figures: 'Loan to value', of: 'live_ltv' },
          text: ({ live_ltv, ltv }) => shareOrNot(live_ltv ?? ltv),
        },
        { of: 'ltv' },
        { figures: 'Trigger', of: 'trigger_ltv', as: ratioPercentText },
      ],
    }),
  });
}

/** `clsk:CoinbaseLineOfCreditMember` as `Coinbase Line Of Credit`. */
const memberText = (name: string) =>
  name
    .replace(/^[^:]*:/, '')
    .replace(/Member$/, '')
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ');

const shareOrNot = (value: number | null) => (value === null ? 'not filed' : ratioPercentText(value));

function changesCard({ stress, changedFacts, tierMove, sourceDate }: IssuerFacts): Card {
  const events = stress.reported_events ?? [];
  const paragraphs = [
    tierMove === undefined
      ? 'No slice before this one is held, so its tier is compared with nothing.'
      : tierMove === null
        ? 'The tier by the filing is that of the slice before.'
        : `The tier moved from ${tierMove.prior_tier} to ${tierMove.new_tier} since the slice before.`,
    changedFacts === null
      ? 'No earlier archive is held, so filed facts are compared with nothing.'
      : changedFacts === 0
        ? 'No filed fact differs from the archive before.'
        : `${countText(changedFacts)} filed facts differ from the archive before.`,
  ];
  return card({
    id: 'changes',
    heading:
      events.length === 0 ? 'No newer statement than the balance sheet' : 'Reported since the balance sheet',
    paragraphs: [
      ...(events.length === 0
        ? [
            `No current report that was read up to ${sourceDate} states coins, debt or cash, which does not say that none was filed.`,
          ]
        : []),
      ...events.map(({ text, known_on, accession_number }) => `${known_on}: ${text} (${accession_number}).`),
      ...paragraphs,
    ],
    links: [...new Map(events.map((event) => [event.accession_number, event.filing_url]))].flatMap(
      ([accession, href]) => (href === null ? [] : [{ text: `Report ${accession}`, href }]),
    ),
  });
}

function peersCard({ stress, ranking, unranked }: IssuerFacts): Card {
  if (ranking === null)
    return card({
      id: 'peers',
      heading: 'No rank among peers',
      paragraphs: [unranked ?? 'The issuer is in no ranking of this slice.'],
    });
  const { peer_rank: rank, peer_count: count, percentile } = ranking;
  const words =
    rank === 1
      ? 'Of all ranked issuers it is the one most at risk.'
      : `${countText(rank - 1)} of ${countText(count)} ranked issuers are more at risk, ${countText(count - rank)} less.`;
  return card({
    id: 'peers',
    heading: `Rank ${countText(rank)} of ${countText(count)} by stress`,
    paragraphs: [`${words} ${stress.ticker} is more resilient than ${countText(percentile)}\u00a0% of them.`],
  });
}

function filingsCard({ stress, filings }: IssuerFacts): Card {
  const shown = filings.slice(0, mostFilings);
  const more = filings.length - shown.length;
  return card({
    id: 'filings',
    heading: 'The filings behind it',
    paragraphs: [
      `The figures rest on ${stress.filing_form ?? 'the filing'} ${stress.accession_number}.${more === 0 ? '' : ` ${countText(more)} further filings since are not listed.`}`,
    ],
    links: shown.flatMap(({ url, form, label, filed }) =>
      url === null ? [] : [{ text: `${form} of ${filed}: ${label}`, href: url }],
    ),
  });
}

/** What limits the figures, each in a sentence; none where nothing does. */
function unknownCard({ stress }: IssuerFacts): Card[] {
  const lowerBounds =
    'Debt or coins are not proven: the amounts shown are the parts that are, and no ratio or tier rests on them.';
  const paragraphs = [...(isProven(stress) ? [] : [lowerBounds]), ...(stress.data_quality_note_words ?? [])];
  if (paragraphs.length === 0) return [];
  return [card({ id: 'unknown', heading: 'What is not known', paragraphs })];
}

/** What its coins are worth at the closes of the slice, in the number filed or reported since. */
function liveCoins({ stress, sourceDate }: IssuerFacts): LiveCoins | null {
  const usd = amountOrNull(stress.live_total_crypto_fair_value);
  return usd === null || !isProven(stress) ? null : { usd, day: sourceDate };
}

const amountOrNull = (value: CovenantStress['total_long_term_debt'] | null | undefined) =>
  value == null ? null : amount(value);
