import { filingInput, filingPart, type ListedFiling } from '../../source/filingSources.ts';
import { type FilingFiles, filesOfFolder, filesOfInstance, filesOfZip } from '../../xbrl/filingFolder.ts';
import { loadFiling } from '../../xbrl/loadFiling.ts';
import { filingRows, type RowBatches } from './filingRows.ts';

/**
 * Reads one filing from everything that is at hand of it: its folder, and, when that holds no instance, the
 * extracted one. An archive that cannot be read is a defect; the files beside it are used.
 */
export async function readFilingRows({
  cik,
  accession,
  folder,
  extracted,
  files,
}: ListedFiling): Promise<RowBatches> {
  const layers: FilingFiles[] = folder === null ? [] : [filesOfFolder(folder)];
  const names = (await Promise.all(layers.map((layer) => layer.list()))).flat();
  if (extracted !== null && !names.some(isInstance)) layers.push(filesOfInstance(extracted));
  const filing = await loadFiling({ cik, accession, files: layered(layers) });
  const rows = filingRows(filing, filingInput({ cik, accession }));
  const archives = files.filter(({ part }) => part === 'archive').map(({ path }) => path);
  return { ...rows, defects: [...(await brokenArchives(archives)), ...rows.defects] };
}

function isInstance(name: string): boolean {
  return /\.xml$/i.test(name) && filingPart(name) === 'instance';
}

/** Several sets of files as one; the first that has a name gives its bytes. */
function layered(layers: readonly FilingFiles[]): FilingFiles {
  const [first, ...more] = layers;
  if (first !== undefined && more.length === 0) return first;
  const owner = new Map<string, FilingFiles>();
  return {
    async list() {
      for (const layer of layers) {
        for (const name of await layer.list()) if (!owner.has(name)) owner.set(name, layer);
      }
      return [...owner.keys()].sort();
    },
    async read(name) {
      const files = owner.get(name);
      if (files === undefined) throw new Error(`the filing has no file ${name}`);
      return files.read(name);
    },
  };
}

async function brokenArchives(paths: readonly string[]): Promise<RowBatches['defects'][number][]> {
  const defects: RowBatches['defects'][number][] = [];
  for (const path of paths) {
    await filesOfZip(path)
      .list()
      .catch((error: Error) => defects.push({ part: 'archive', reason: error.message, state: 'unusable' }));
  }
  return defects;
}
