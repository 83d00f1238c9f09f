import { existsSync } from 'node:fs';
import { addDays } from '../../calculators/exact/civilDate.ts';
import { IssuerError, usageError } from '../../data/contract/errors/issuerError.ts';
import type { CanonicalValue } from '../../data/contract/values/canonicalJson.ts';
import { instant } from '../../data/contract/values/instant.ts';
import { instantPattern, isCivilDate } from '../../data/contract/values/primitives.ts';
import { openPositionCache } from '../compute/positionCache.ts';
import { type DataLayout, dataLayout } from '../dataLayout.ts';
import type { StoreEffects } from '../effects.ts';
import { marketStep } from '../market/marketStep.ts';
import { methodDigest, readRegistry } from '../modelCard/readRegistry.ts';
import { withNightlyLock } from '../nightly/nightlyLock.ts';
import { stopIfAsked } from '../nightly/nightStep.ts';
import { openJournal } from '../nightly/plan/journal.ts';
import { keepRecord } from '../record/keepRecord.ts';
import { readCurrent, releaseParts } from '../release/releaseStore.ts';
import { openSigningKey } from '../release/signingKey.ts';
import type { BuildStart } from '../warehouse/build/startBuild.ts';
import { openBuild } from '../warehouse/build/warehouseBuild.ts';
import { selectUniverse } from '../warehouse/select/selectCompanies.ts';
import { type BackfilledDate, backfill } from './backfill.ts';
import { type RebuiltCurrent, rebuildCurrent } from './rebuildCurrent.ts';

export type BackfillOptions = {
  readonly data: string;
  readonly from: string;
  readonly to: string;
  readonly every: string;
  readonly asOf: string | null;
  readonly force: boolean;
  /** What `codeVersion` says of the running program. */
  readonly code: string;
  readonly signal: AbortSignal;
  /** Told of every date as it is done. */
  readonly onDate: (done: BackfilledDate) => void;
};

type BackfillOutcome = {
  readonly dates: number;
  readonly published: number;
  readonly rows: number;
  readonly current: RebuiltCurrent;
};

/** Dates between two moments at which the warehouse is published, so that a crash loses few. */
const datesABuild = 500;

/**
 * `issuer backfill`: publishes past dates from the warehouse as it is, then builds the current release again so that
 * its histories hold them (I3.28, I4.36). Run again, it goes on where it stopped.
 *
 * @throws IssuerError `usage` for dates that are not past, `input_missing` before the first night, `interrupted`
 * between two dates: every date that was reported stays.
 */
export async function runBackfill(
  backfillOptions: BackfillOptions,
  effects: StoreEffects,
): Promise<BackfillOutcome> {
  const dates = backfillDates(backfillOptions);
  if (
    backfillOptions.asOf !== null &&
    (!instantPattern.test(backfillOptions.asOf) || Number.isNaN(Date.parse(backfillOptions.asOf)))
  ) {
    throw usageError(
      `--as-of ${backfillOptions.asOf.slice(0, 40)} is not an instant.`,
      'Write it as YYYY-MM-DDTHH:MM:SSZ.',
    );
  }
  const layout = dataLayout(backfillOptions.data);
  return withNightlyLock({ path: layout.lock, effects }, async () => {
    const newest = await refuseNewDates(layout, dates);
    const asOf = backfillOptions.asOf ?? instant(effects.clock.now().getTime());
    const counts = { dates: 0, published: 0, rows: 0 };
    const count = (done: BackfilledDate) => {
      counts.dates += 1;
      if (done.status === 'published') counts.published += 1;
      counts.rows += done.rows;
      backfillOptions.onDate(done);
    };
    for (let at = 0; at < dates.length; at += datesABuild) {
      const part = dates.slice(at, at + datesABuild);
      await backfillPart({ ...backfillOptions, layout, dates: part, newest, asOf, count, effects });
    }
    return { ...counts, current: await rebuildCurrent({ ...backfillOptions, layout }, effects) };
  });
}

async function backfillPart({
  layout,
  effects,
  code,
  dates,
  newest,
  asOf,
  force,
  signal,
  count,
}: Pick<BackfillOptions, 'force' | 'code' | 'signal'> & {
  layout: DataLayout;
  dates: readonly string[];
  /** Date of the current release. */
  newest: string;
  asOf: string;
  count: (done: BackfilledDate) => void;
  effects: StoreEffects;
}): Promise<void> {
  const journal = openJournal({ root: layout.journal, files: effects.files });
  const entry = await journal.warehouse();
  if (entry === null) throw noWarehouse('unnamed');
  const { parameters, products, provenance: method } = await readRegistry();
  const provenance = { code, ...method };
  const cache = openPositionCache({
    root: layout.positions,
    version: methodDigest(code, method),
    files: effects.files,
  });
  const build = await openBuild({
    warehouseRoot: layout.warehouse,
    buildId: `backfill-${effects.clock.now().getTime()}-${process.pid}`,
    effects,
  });
  let isChanged = false;
  const finish = async () => {
    if (!isChanged) return build.discard();
    await journal.forgetWarehouse();
    await build.finish();
    await journal.writeWarehouse({ ...entry, build: build.id });
  };
  try {
    const issuers = await selectUniverse(build.connection);
    // a build of other tables begins empty, and its facts are read again by a night
    if (issuers.length === 0) throw noWarehouse(build.start);
    const market = await marketStep({
      connection: build.connection,
      sourceDate: dates.at(-1) ?? '',
      products,
      parameters,
      stopIfAsked: () => stopIfAsked(signal),
    });
    isChanged ||= market.rows > 0;
    const done = backfill({
      connection: build.connection,
      paths: layout.artifacts,
      dates,
      asOf,
      parameters,
      provenance,
      cache,
      force,
      effects,
      issuers,
      key: await openSigningKey({ path: layout.signingKey, files: effects.files }),
      stopIfAsked: () => stopIfAsked(signal),
    });
    for await (const date of done) {
      isChanged ||= date.status === 'published';
      count(date);
    }
    if (isChanged) {
      await keepRecord({
        parameters,
        cache,
        issuers,
        connection: build.connection,
        sourceDate: newest,
        log: effects.log,
        stopIfAsked: () => stopIfAsked(signal),
      });
    }
  } catch (error) {
    // what was published stays, in the views too
    await finish().catch(() => build.discard());
    throw error;
  }
  await cache.prune();
  await finish();
}

async function refuseNewDates(layout: DataLayout, dates: readonly string[]): Promise<string> {
  const current = await readCurrent(layout.artifacts);
  if (current === null || !existsSync(layout.database)) throw noWarehouse();
  const { sourceDate } = releaseParts(current);
  const late = dates.find((date) => date >= sourceDate);
  if (late === undefined) return sourceDate;
  throw usageError(
    `${late} is not before ${sourceDate}, the date of the current release.`,
    'A backfill makes past dates; newer ones are nights: `issuer nightly --date <date>`.',
  );
}

function noWarehouse(start: BuildStart | 'unnamed' | null = null): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message:
      start === 'changed'
        ? 'Another program changed the warehouse since the last night: nothing in it is proven to be ours.'
        : start === 'unnamed'
          ? 'No night vouches for the warehouse: a command that wrote it was ended, or none of this version has written it.'
          : 'There is no warehouse of this version of the program to look back in.',
    hint: 'Run a night first: `issuer nightly`.',
  });
}

const maxDates = 20_000;

/**
 * The dates of a backfill, ascending.
 *
 * @param every `day`, `month-end`, or a list of dates separated by commas
 * @throws IssuerError `usage`
 */
export function backfillDates(input: { from: string; to: string; every: string }): string[] {
  for (const [flag, day] of [
    ['--from', input.from],
    ['--to', input.to],
  ] as const) {
    if (!isCivilDate(day))
      throw usageError(`${flag} ${day.slice(0, 40)} is not a day.`, 'Write it as YYYY-MM-DD.');
  }
  if (input.from > input.to) throw usageError('--from is later than --to.', 'Exchange the two days.');
  if (input.every === 'day') return days(input);
  if (input.every === 'month-end') return days(input).filter((day) => addDays(day, 1).endsWith('-01'));
  const listed = input.every.split(',').map((day) => day.trim());
  const bad = listed.find((day) => !isCivilDate(day));
  if (bad !== undefined) {
    throw usageError(
      `--every ${bad.slice(0, 40)} is not known.`,
      'Write day, month-end, or days separated by commas.',
    );
  }
  return [...new Set(listed)].filter((day) => input.from <= day && day <= input.to).sort();
}

function days({ from, to }: { from: string; to: string }): string[] {
  const all: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    all.push(day);
    if (all.length > maxDates) {
      throw usageError(
        `There are more than ${maxDates} days from ${from} to ${to}.`,
        'Backfill part by part.',
      );
    }
  }
  return all;
}

/** The line a terminal gets of one date. */
export function backfilledText({ sourceDate, status, release, rows, resolved }: BackfilledDate): string {
  const filings = `${rows} ${rows === 1 ? 'issuer' : 'issuers'}`;
  const first = resolved === 0 ? '' : `, ${resolved} resolved for the first time`;
  switch (status) {
    case 'published':
      return `${sourceDate}  published ${release}  ${filings}${first}\n`;
    case 'unchanged':
      return `${sourceDate}  unchanged ${release}  ${filings}\n`;
    case 'full':
      return `${sourceDate}  kept      ${release}  a night's release answers for it\n`;
    case 'withdrawn':
      return `${sourceDate}  withdrawn and left so\n`;
    case 'empty':
      return `${sourceDate}  empty     no issuer had filed a balance sheet\n`;
  }
}

/** The same as a line of JSON. */
export function backfilledJson(done: BackfilledDate): { [member: string]: CanonicalValue } {
  const { sourceDate, status, release, rows, resolved } = done;
  return { source_date: sourceDate, status, release, rows, filings_resolved: resolved };
}

/** What is said at the end. */
export function outcomeText({ dates, published, rows, current }: BackfillOutcome): string {
  const n = (count: number) => count.toLocaleString('en');
  const histories =
    current.left === null
      ? `current release: ${current.release}, its histories hold them`
      : `current release: ${current.release ?? 'none'} is left as it is, because ${current.left}`;
  return `${n(dates)} dates, ${n(published)} published, ${n(rows)} rows; ${histories}.\n`;
}

/** The same as a line of JSON. */
export function outcomeJson({ dates, published, rows, current }: BackfillOutcome): {
  [member: string]: CanonicalValue;
} {
  return { dates, published, rows, current: current.release, current_left_because: current.left };
}
