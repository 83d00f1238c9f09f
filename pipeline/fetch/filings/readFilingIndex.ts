import { getJson } from '../http/getJson.ts';
import { type FilingIndex, filingIndex } from './filingIndex.ts';
import type { FilingRecord } from './filingRecord.ts';
import { type FilingWork, permanentFault, urlOf } from './filingWork.ts';
import { selectFilingFiles } from './selectFilingFiles.ts';

/** Longest wait for an index. */
const indexMs = 60_000;

/**
 * Reads a filing's index and says in its record what is to be fetched.
 *
 * An index that is not there or cannot be used is recorded as such; any other failure is thrown.
 */
export async function readFilingIndex(work: FilingWork, record: FilingRecord): Promise<FilingRecord> {
  const { edgar, limits } = work;
  const checked = { ...record, checked_at: work.effects.clock.now().toISOString() };
  const unusable = (reason: string): FilingRecord => ({
    ...checked,
    state: 'unusable',
    attempts: record.attempts + 1,
    gaps: [{ name: 'index.json', reason, again: true }],
  });
  try {
    const index = await getJson({
      session: work.session,
      url: urlOf(work, record, 'index.json'),
      headers: {},
      schema: filingIndex,
      maxBytes: limits.maxIndexBytes,
      answerMs: Math.min(indexMs, edgar.network.answerMs),
      retry: edgar.network.retry,
      random: edgar.network.random,
      effects: work.effects,
      signal: work.signal,
    });
    if (isOfAnotherFolder(index, record.accession)) return unusable('The index is of another folder.');
    const selection = selectFilingFiles(index, limits);
    if (selection.kind === 'refused') return unusable(selection.reason);
    if (selection.kind === 'without_xbrl')
      return { ...checked, state: 'without_xbrl', attempts: 0, gaps: [] };
    const bytes = selection.files.reduce((sum, file) => sum + (file.size ?? 0), 0);
    if (bytes > limits.maxFilingBytes) return unusable(`The index lists ${bytes} bytes of XBRL files.`);
    return {
      ...checked,
      state: 'fetching',
      attempts: 0,
      chosen: selection.files.map(({ name, kind }) => ({ name, kind })),
      gaps: selection.missing.map((name) => ({ name, reason: 'the index lists none', again: false })),
    };
  } catch (error) {
    const reason = permanentFault(error);
    if (reason === null) throw error;
    return unusable(reason);
  }
}

function isOfAnotherFolder({ directory }: FilingIndex, accession: string): boolean {
  const named = directory.name?.replace(/\/$/, '').split('/').at(-1);
  return named !== undefined && named !== accession.replaceAll('-', '');
}
