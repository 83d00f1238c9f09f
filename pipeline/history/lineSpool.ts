import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { compareText } from '../../data/contract/values/compareText.ts';
import type { FileEffects } from '../effects.ts';

/** New lines of one issuer, kept until its files are written. */
export type SpooledLines = {
  readonly sourceDate: string;
  /** One a history. */
  readonly texts: readonly string[];
};

/**
 * New history lines by issuer. What does not fit into memory lies in segment files until it is asked for, so that a
 * history of many years takes no more memory than a night.
 */
export type LineSpool = {
  readonly ciks: () => string[];
  add(cik: string, lines: SpooledLines): Promise<void>;
  /** The lines of an issuer, by date ascending. */
  lines(cik: string): Promise<SpooledLines[]>;
  /** Removes the segment files. */
  close(): Promise<void>;
};

type Place = { readonly segment: number; readonly at: number; readonly length: number };

/**
 * @param directory a place for segment files of its own
 * @param heldBytes characters kept in memory before they are written to a segment
 */
export function openLineSpool({
  directory,
  files,
  heldBytes,
}: {
  directory: string;
  files: FileEffects;
  heldBytes: number;
}): LineSpool {
  let held = new Map<string, SpooledLines[]>();
  let heldLength = 0;
  const places = new Map<string, Place[]>();
  const segments: FileHandle[] = [];
  const path = (segment: number) => join(directory, `${segment}.json`);
  const spill = async () => {
    if (segments.length === 0) {
      await files.remove(directory);
      await files.makeDirectory(directory);
    }
    const segment = segments.length;
    const parts: Buffer[] = [];
    let at = 0;
    for (const [cik, lines] of held) {
      const part = Buffer.from(JSON.stringify(lines));
      const known = places.get(cik) ?? [];
      places.set(cik, known);
      known.push({ segment, at, length: part.length });
      parts.push(part);
      at += part.length;
    }
    await files.write(path(segment), Buffer.concat(parts));
    segments.push(await open(path(segment), 'r'));
    held = new Map();
    heldLength = 0;
  };
  return {
    ciks: () => [...new Set([...places.keys(), ...held.keys()])].sort(),
    async add(cik, lines) {
      const known = held.get(cik) ?? [];
      held.set(cik, known);
      known.push(lines);
      heldLength += lines.texts.reduce((sum, text) => sum + text.length, 0);
      if (heldLength > heldBytes) await spill();
    },
    async lines(cik) {
      const found: SpooledLines[] = [];
      for (const { segment, at, length } of places.get(cik) ?? []) {
        const bytes = Buffer.alloc(length);
        await segments[segment]?.read(bytes, 0, length, at);
        found.push(...(JSON.parse(bytes.toString('utf8')) as SpooledLines[]));
      }
      found.push(...(held.get(cik) ?? []));
      return found.sort((a, b) => compareText(a.sourceDate, b.sourceDate));
    },
    async close() {
      for (const handle of segments) await handle.close();
      if (segments.length > 0) await files.remove(directory);
    },
  };
}
