import { csvRecords } from '../warehouse/load/csvRecords.ts';
import { refusedFile } from '../warehouse/load/inputFile.ts';
import type { RegistryFile } from './registryFile.ts';
import { conceptsOf } from './versionHashes.ts';

/** Concepts that the registry or a dictionary names and no published taxonomy has, in alphabetical order. */
export function unknownConcepts(registry: RegistryFile, standard: ReadonlySet<string>): readonly string[] {
  return [...conceptsOf(registry)].filter((concept) => !standard.has(concept)).sort();
}

/** A misspelt concept matches no fact and misses no test, so it has to be said. Null where all are known. */
export function unknownConceptsSentence(unknown: readonly string[]): string | null {
  if (unknown.length === 0) return null;
  const are = unknown.length === 1 ? 'concept is' : 'concepts are';
  return `${unknown.length} ${are} in no taxonomy of ${standardConceptsFile}, so no fact can match: ${unknown.join(', ')}`;
}

/** Which of the concepts in use stand in which published taxonomy. */
export const standardConceptsFile = 'data/registry/standard-concepts.csv';

/** @throws IssuerError `validation_failed` naming the line that is not a concept with taxonomy and file. */
export function parseStandardConcepts(path: string, text: string): ReadonlySet<string> {
  const rows = csvRecords({ path, text, columns: ['concept', 'taxonomy', 'file'] });
  return new Set(
    rows.map(({ line, cells }) => {
      const { concept = '', taxonomy = '', file = '' } = cells ?? {};
      const [, prefix] = /^(us-gaap|srt|ifrs)(?:-full)?:[A-Z]\w+$/.exec(concept) ?? [];
      if (prefix === undefined || !new RegExp(`^${prefix}-20\\d\\d$`).test(taxonomy) || file === '')
        throw refusedFile(
          path,
          `line ${line} needs a concept, its taxonomy with the year, and a file of that taxonomy`,
        );
      return concept;
    }),
  );
}
