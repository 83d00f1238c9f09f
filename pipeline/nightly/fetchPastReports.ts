import { join } from 'node:path';
import { hasEnded } from '../../calculators/filing/rows.ts';
import type { DataLayout } from '../dataLayout.ts';
import type { StoreEffects } from '../effects.ts';
import { edgarBucket, requireContact } from '../fetch/filings/edgarSession.ts';
import { submissionsCandidates } from '../fetch/filings/filingCandidates.ts';
import { programRoot } from '../programRoot.ts';
import { loadUniverse } from '../universe/universe.ts';
import { type FetchedReports, fetchNewReports } from './fetchNewReports.ts';
import { withNightlyLock } from './nightlyLock.ts';

/**
 * Fetches the current reports filed from a day on that the submissions archive of the last night lists, into what nights with
 * `--source edgar` read; the next one takes them in. What is stored is not asked for again.
 *
 * @throws IssuerError `configuration` without a contact address, `input_missing` before a night fetched the archive, `locked`
 */
export async function fetchPastReports(input: {
  readonly layout: DataLayout;
  readonly from: string;
  readonly contact: string | undefined;
  readonly edgarUrl?: string;
  readonly effects: StoreEffects;
  readonly signal: AbortSignal;
}): Promise<FetchedReports> {
  const { layout, from, effects, signal } = input;
  const contact = requireContact(input.contact);
  const sourceDate = effects.clock.now().toISOString().slice(0, 10);
  const target = join(layout.raw, 'edgar-source');
  const issuers = await loadUniverse(join(programRoot, 'data/registry/universe.csv'));
  const ciks = issuers.filter((issuer) => !hasEnded(issuer, sourceDate)).map(({ cik }) => cik);
  return withNightlyLock({ path: layout.lock, effects }, () => {
    const { reports } = submissionsCandidates({
      archivePath: join(target, 'edgar/submissions.zip'),
      ciks,
    });
    return fetchNewReports(
      { night: { sourceDate, asOf: null, note: null }, layout, effects, signal },
      {
        ...{ contact, target, from, bucket: edgarBucket(effects), wanted: { reports, periods: new Map() } },
        ...(input.edgarUrl === undefined ? {} : { edgarUrl: input.edgarUrl }),
      },
    );
  });
}
