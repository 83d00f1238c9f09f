import type { ArtifactManifest, ManifestEntry } from '../release/releaseFiles.ts';
import { readSegmentIndex } from './segmentIndex.ts';
import { readSegmentList } from './segmentList.ts';

type Sizes = ReadonlyMap<string, Pick<ManifestEntry, 'sha256' | 'bytes'>>;

/** What of a release's histories does not fit together: lists, segments and their indexes (STORE ST7, ST8). */
export function segmentProblems(
  { key }: ManifestEntry,
  { json, manifest }: { json: unknown; manifest: ArtifactManifest },
): string[] {
  const entries: Sizes = new Map(manifest.artifacts.map((entry) => [entry.key, entry]));
  return key.endsWith(listEnding)
    ? listProblems(key, { json, entries })
    : indexProblems(key, { json, entries });
}

const listEnding = '.segments.json';

function listProblems(key: string, { json, entries }: { json: unknown; entries: Sizes }): string[] {
  const list = readSegmentList(json);
  if ('fault' in list) return [`${key}: ${list.fault}`];
  return list.value.segments
    .filter((segment) => {
      const entry = entries.get(segment.key);
      return entry?.sha256 !== segment.sha256 || entry.bytes !== segment.bytes;
    })
    .map((segment) => `${key} lists another ${segment.key} than the manifest`);
}

function indexProblems(key: string, { json, entries }: { json: unknown; entries: Sizes }): string[] {
  const index = readSegmentIndex(json);
  if ('fault' in index) return [`${key}: ${index.fault}`];
  const segment = entries.get(key.replace(/\.index\.json$/, '.ndjson'));
  return segment?.bytes === index.value.bytes ? [] : [`${key} does not fit its segment`];
}
