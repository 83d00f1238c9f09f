import { addDays } from '../../calculators/exact/civilDate.ts';
import { hasEnded } from '../../calculators/filing/rows.ts';
import type { PreviousSlice } from '../changes/readStandings.ts';
import { leftOutSentence } from '../compute/leftOut.ts';
import type { ComputedSlice } from '../families/computeSlice.ts';
import { tickersElsewhere } from '../universe/universe.ts';
import type { RefusedCloseRow } from '../warehouse/select/selectPrices.ts';
import { keptSentence } from './plan/keptInputs.ts';
import type { NightPlan } from './plan/nightPlan.ts';

/** Without one of these a night has less to say than it should. */
const companyFacts = 'edgar/companyfacts.zip';
const mainInputs = [companyFacts, 'edgar/submissions.zip', 'prices/*.csv'];
/** Closes of the day and of the two before it are those a night lives on. */
export const freshDays = 2;
const shownAssets = 5;

/** What a slice is judged by, besides itself. */
export type Beside = {
  /** The night before. */
  readonly previous: PreviousSlice | null;
  /** The newest close of each asset up to the slice's date. */
  readonly newestCloses: readonly { readonly asset: string; readonly date: string }[];
  /** SEC's tickers with their CIK. */
  readonly listed: ReadonlyMap<string, string>;
  /** Companies of the archive that the warehouse holds facts of. */
  readonly companies: number;
  /** Closes of those last days that are not plausible. */
  readonly refusedCloses: readonly RefusedCloseRow[];
  /** The release `current` names while the night is built. */
  readonly current: string | null;
};

/**
 * What a night that publishes lacks, or finds worse than the night before: a sentence each, for the summary,
 * `last-run.json` and exit code 6. Empty for a whole night.
 */
export function nightFindings(plan: NightPlan, computed: ComputedSlice, beside: Beside): readonly string[] {
  return [
    ...missingInputs(plan),
    ...(beside.companies === 0 && !plan.inputs.missing.includes(companyFacts)
      ? [`${companyFacts} holds no company that can be used`]
      : []),
    ...(computed.sliceStatus === 'partial'
      ? ['the slice is partial: fewer than 90 % of the issuers of the slice before have a row']
      : []),
    ...computed.leftOut.map(leftOutSentence),
    ...stepsBack(computed, { plan, previous: beside.previous }),
    ...tickersElsewhere({
      issuers: plan.issuers.filter((issuer) => !hasEnded(issuer, plan.sourceDate)),
      listed: beside.listed,
      hasRow: rowsOf(computed),
    }),
    ...oldCloses(plan.sourceDate, beside.newestCloses),
    ...beside.refusedCloses.map(
      ({ asset, date, source, close, reason }) =>
        `the ${asset} close ${close} of ${date} from ${source} is not used: it ${reason}`,
    ),
    ...(plan.moveCurrent
      ? []
      : [`the slice of ${plan.sourceDate} does not become current: ${beside.current} is newer and stays`]),
  ];
}

function missingInputs({ inputs, kept, sourceDate }: NightPlan): string[] {
  const isKept = (layout: string) =>
    kept.some(({ name }) => (layout.endsWith('/*.csv') ? name.startsWith('prices/') : name === layout));
  return [
    ...kept.map((input) => keptSentence(input, sourceDate)),
    ...inputs.missing
      .filter((layout) => mainInputs.includes(layout) && !isKept(layout))
      .map((layout) => `${layout} is not in the inputs, and no earlier night read it`),
  ];
}

function rowsOf({ results, leftOut }: ComputedSlice): (cik: string) => boolean {
  const ciks = new Set([...results.map(({ issuer }) => issuer.cik), ...leftOut.map(({ cik }) => cik)]);
  return (cik) => ciks.has(cik);
}

/** Issuers whose filing in force is older than that of the night before, or who have none any more without having ended. */
function stepsBack(
  { results, leftOut }: ComputedSlice,
  { plan, previous }: { readonly plan: NightPlan; readonly previous: PreviousSlice | null },
): string[] {
  const ended = new Set(
    plan.issuers.filter((issuer) => hasEnded(issuer, plan.sourceDate)).map(({ cik }) => cik),
  );
  const rows = new Map(results.map(({ stress }) => [stress.cik, stress]));
  return (previous?.standings ?? []).flatMap(({ cik, ticker, period, accession }) => {
    if (ended.has(cik) || leftOut.some((one) => one.cik === cik)) return [];
    const row = rows.get(cik);
    const before = `${accession} for ${period}`;
    if (row === undefined) return [`${ticker} has no row any more: ${before} is gone from the inputs`];
    if ((row.period ?? '') >= period) return [];
    const now = `${row.accession_number} for ${row.period}`;
    return [`${ticker} steps back to ${now}: ${before} is gone from the inputs`];
  });
}

/** Closes of the slice's day that are not there, where those of the days before it still stand: a warning each. */
export function carriedCloses(sourceDate: string, newest: Beside['newestCloses']): string[] {
  const oldest = addDays(sourceDate, -freshDays);
  return byDay(newest.filter(({ date }) => date >= oldest && date < sourceDate)).map(
    ({ date, assets }) => `no source gives a close of ${assets} of ${sourceDate}: that of ${date} stands`,
  );
}

function oldCloses(sourceDate: string, newest: Beside['newestCloses']): string[] {
  const oldest = addDays(sourceDate, -freshDays);
  return byDay(newest.filter(({ date }) => date < oldest)).map(
    ({ date, assets }) => `the newest closes of ${assets} are of ${date}`,
  );
}

function byDay(newest: Beside['newestCloses']): { date: string; assets: string }[] {
  return [...Map.groupBy(newest, ({ date }) => date)].sort().map(([date, closes]) => {
    const assets = closes.map(({ asset }) => asset);
    const more = assets.length > shownAssets ? ` and ${assets.length - shownAssets} more` : '';
    return { date, assets: `${assets.slice(0, shownAssets).join(', ')}${more}` };
  });
}
