import { truncate } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryStore } from '../../data/store/directoryStore.ts';
import { type HistoryRig, historyRig } from '../../fixtures/rigs/historyRig.ts';
import { damageArtifact, placeOf } from '../../fixtures/rigs/storedArtifacts.ts';
import { readSlices } from '../release/releaseStore.ts';
import { checkStore } from '../stores/checkStore.ts';

let rig: HistoryRig;
beforeEach(async () => {
  rig = await historyRig();
});
afterEach(() => rig.close());

const A = '0000000001';

describe('histories of a damaged store', () => {
  it.each([
    ['a list', 'calc-history/2025-11-13.segments.json', '2025-11-14'],
    ['a day that a month is made of', 'calc-history/2025-11-13.ndjson', '2025-12-01'],
    ['the index of that day', 'core-history/2025-11-13.index.json', '2025-12-01'],
  ])('makes histories from every slice again when %s is damaged, and says so', async (_, key, next) => {
    const rows = [{ cik: A, stress: 0.5 }];
    const first = await rig.publish({ sourceDate: '2025-11-13', rows });
    damageArtifact({ root: rig.paths.root, release: first.release, key });
    const second = await rig.publish({ sourceDate: next, rows, known: first });
    expect(await rig.historiesOf(second.release)).toEqual(await rig.fromScratch(next, rows));
    expect(rig.warnings).toEqual([
      `histories are made from every slice again: of 2025-11-13.1, ${key} is missing or has another hash`,
    ]);
  });

  describe('a segment that is held', () => {
    const rows = [{ cik: A, stress: 0.5 }];
    const segment = 'core-history/2025-11-13.ndjson';
    const nights = async () => {
      const first = await rig.publish({ sourceDate: '2025-11-13', rows });
      return { first, second: await rig.publish({ sourceDate: '2025-11-14', rows, known: first }) };
    };

    it('is made again from its slice when a byte of what the night before wrote was flipped', async () => {
      const { second } = await nights();
      const own = 'core-history/2025-11-14.ndjson';
      damageArtifact({ root: rig.paths.root, release: second.release, key: own });
      const third = await rig.publish({ sourceDate: '2025-11-15', rows, known: second });
      expect(rig.warnings).toEqual([
        `histories are made from every slice again: of 2025-11-14.1, ${own} is missing or has another hash`,
      ]);
      expect(await rig.historiesOf(third.release)).toEqual(await rig.fromScratch('2025-11-15', rows));
    });

    it('is named by fsck when it is older, and made again when its month is put together', async () => {
      const { second } = await nights();
      damageArtifact({ root: rig.paths.root, release: '2025-11-13.1', key: segment });
      const third = await rig.publish({ sourceDate: '2025-11-15', rows, known: second });
      expect(rig.warnings).toEqual([]);
      expect(await problemsOf()).toContain(
        `2025-11-13.1: ${segment}: its hash is not the one in the manifest`,
      );
      const month = await rig.publish({ sourceDate: '2025-12-01', rows, known: third });
      expect(rig.warnings).toEqual([
        `histories are made from every slice again: of 2025-11-15.1, ${segment} is missing or has another hash`,
      ]);
      expect(await rig.historiesOf(month.release)).toEqual(await rig.fromScratch('2025-12-01', rows));
    });

    it('ends the night when its pack is cut, for its slice is gone with it', async () => {
      const { second } = await nights();
      const { path, object } = placeOf({ root: rig.paths.root, release: second.release, key: segment });
      await truncate(path, object.offset + 10);
      expect(await problemsOf()).toContain(`2025-11-13.1: ${segment}: pack 2025-11-13.1 is cut short`);
      // the release that draws on it is promoted as long as nothing has to be read of it
      const third = await rig.publish({ sourceDate: '2025-11-15', rows, known: second });
      await expect(rig.publish({ sourceDate: '2025-12-01', rows, known: third })).rejects.toMatchObject({
        code: 'validation_failed',
      });
      expect(Object.keys(await readSlices(rig.paths))).toEqual(['2025-11-13', '2025-11-14', '2025-11-15']);
    });

    const problemsOf = async () => {
      const store = directoryStore({ root: rig.paths.root, keepOpen: 2 });
      const stopIfAsked = () => undefined;
      return (await checkStore({ store, publicKeys: null, stopIfAsked })).problems;
    };
  });

  it('refuses a slice that is not what its manifest says', async () => {
    const rows = [{ cik: A, stress: 0.5 }];
    await rig.publish({ sourceDate: '2025-11-13', rows });
    const key = 'covenant-slice/2025-11-13.ndjson';
    damageArtifact({ root: rig.paths.root, release: '2025-11-13.1', key });
    await expect(rig.publish({ sourceDate: '2025-11-14', rows })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    expect(Object.keys(await readSlices(rig.paths))).toEqual(['2025-11-13']);
  });
});
