import { createHash } from 'node:crypto';
import type { FilingChoreography } from '../../calculators/choreography/filingChoreography.ts';
import { addDays } from '../../calculators/exact/civilDate.ts';
import type { Parameters } from '../../calculators/parameters/parameters.ts';
import type { PlannedSegment } from '../../data/contract/history/segmentPlan.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { sha256Hex } from '../release/artifact.ts';
import type { SliceHistory } from './sliceHistory.ts';

/**
 * Hash of all that the points of a segment are made from: the program and its parameters, the builds that answer up to
 * its last date, the closes up to then, and the filings its reads count as they were known then (M9.2, M9.7). Equal
 * hashes, equal points. Segments are asked for by date ascending.
 *
 * @param version hash of program and parameters
 * @param closes hash of every close up to a day
 */
export function pointStamps({
  version,
  history,
  choreographies,
  closes,
  parameters,
}: {
  version: string;
  history: SliceHistory;
  choreographies: ReadonlyMap<string, FilingChoreography>;
  closes: (day: string) => string;
  parameters: Pick<Parameters, 'fieldMap'>;
}): (segment: PlannedSegment) => string {
  const builds = createHash('sha256');
  let next = 0;
  const buildsUpTo = (day: string) => {
    for (let one = history[next]; one !== undefined && one.sourceDate <= day; one = history[next]) {
      builds.update(`${one.sourceDate} ${one.release}\n`);
      next += 1;
    }
    return builds.copy().digest('hex');
  };
  let filings: readonly KnownFiling[] | null = null;
  return ({ dates }) => {
    const [first, last] = [dates[0] ?? '', dates.at(-1) ?? ''];
    const since = addDays(first, -parameters.fieldMap.events.days);
    // later segments count no older ones
    filings = (filings ?? knownFilings(choreographies)).filter(({ filed }) => filed >= since);
    const counted = createHash('sha256');
    for (const { filed, knownOn, text } of filings)
      if (filed <= last && knownOn <= last) counted.update(text);
    return sha256Hex([version, buildsUpTo(last), closes(last), counted.digest('hex')].join('\n'));
  };
}

type KnownFiling = { readonly filed: string; readonly knownOn: string; readonly text: string };

function knownFilings(choreographies: ReadonlyMap<string, FilingChoreography>): KnownFiling[] {
  return [...choreographies]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([cik, { events }]) =>
      events.map(({ filed, knownOn }) => ({ filed, knownOn, text: `${cik} ${filed} ${knownOn}\n` })),
    );
}
