import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../data/store/files/replaceFile.ts';
import { buildNight } from '../../fixtures/builders/buildNight.ts';
import { readNights } from '../../fixtures/builders/readTables.ts';
import { programRoot } from '../programRoot.ts';
import { digestOf, hashTree } from './inputHashes.ts';
import type { NightSource } from './nightSource.ts';

/**
 * The committed fixture nights: real filed figures, written as EDGAR would have served them that night into
 * `<data>/raw/fixtures/<date>`. A date that is no listed night holds what was known on that day.
 */
export function fixtureNights(): NightSource {
  const directory: NightSource['directory'] = ({ night, layout }) =>
    join(layout.raw, 'fixtures', night.sourceDate);
  return {
    kind: 'fixtures',
    label: 'fixtures',
    nights: readNights,
    directory,
    fetch: async ({ night, layout, effects }) => {
      const { files } = effects;
      const target = directory({ night, layout });
      const stampPath = `${target}.sha256`;
      const stamp = await builtFrom();
      const reason = `sha256 ${stamp.slice(0, 12)}`;
      if (existsSync(target) && existsSync(stampPath) && (await readFile(stampPath, 'utf8')) === stamp) {
        return { directory: target, skipped: true, message: `unchanged (${reason})` };
      }
      await files.makeDirectory(join(layout.raw, 'fixtures'));
      await files.remove(stampPath);
      await files.remove(`${target}.partial`);
      await buildNight({
        night: {
          sourceDate: night.sourceDate,
          asOf: night.asOf ?? `${night.sourceDate}T23:59:59Z`,
          note: '',
        },
        target: `${target}.partial`,
      });
      await files.remove(target);
      await files.rename(`${target}.partial`, target);
      await replaceFile({ files, path: stampPath, bytes: stamp });
      return { directory: target, skipped: false, message: `written from the tables (${reason})` };
    },
  };
}

/** Hash of everything a fixture night is written from. */
async function builtFrom(): Promise<string> {
  const tree = (name: string) => hashTree(join(programRoot, name), (file) => !file.endsWith('.test.ts'));
  return digestOf({
    tables: await tree('fixtures/tables'),
    builders: await tree('fixtures/builders'),
    registry: await tree('data/registry'),
  });
}
