import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readCentralDirectory } from '../zip/readCentralDirectory.ts';
import { readZipEntry } from '../zip/readZipEntry.ts';
import { openRandomAccessFile } from '../zip/zipEntry.ts';
import { defaultXmlLimits, readingFault, XmlFault } from './xmlReader.ts';

/** Files of one filing by name; `read` gives the plain bytes, also of a file kept as `.gz`. */
export type FilingFiles = {
  list(): Promise<readonly string[]>;
  /** Throws XmlFault when the file cannot be used, the system error when it cannot be read. */
  read(name: string): Promise<Uint8Array>;
};

/** Files of the folder `edgar/filings/<cik>/<accession>/`; what only its `-xbrl.zip` holds is taken from there. */
export function filesOfFolder(path: string): FilingFiles {
  let opened: Promise<OpenFolder> | null = null;
  const folder = (): Promise<OpenFolder> => {
    opened ??= openFolder(path);
    return opened;
  };
  return {
    async list() {
      const { loose, archived } = await folder();
      return [...new Set([...loose.keys(), ...archived])].sort();
    },
    async read(name) {
      const { loose, archive } = await folder();
      const file = loose.get(name);
      if (file !== undefined) return readPlain(join(path, file));
      if (archive !== null) return archive.read(name);
      throw new XmlFault('it is not in the folder');
    },
  };
}

type OpenFolder = {
  /** stored name by plain name */
  readonly loose: ReadonlyMap<string, string>;
  readonly archive: FilingFiles | null;
  readonly archived: readonly string[];
};

async function openFolder(path: string): Promise<OpenFolder> {
  const entries = await readdir(path, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  const zip = files.sort().find((name) => name.endsWith('-xbrl.zip'));
  const archive = zip === undefined ? null : filesOfZip(join(path, zip));
  const archived = archive === null ? [] : await archive.list().catch(contentFault);
  return { loose: new Map(files.map((name) => [plainName(name), name])), archive, archived };
}

/** An archive whose content is broken takes nothing from the files beside it. */
function contentFault(error: unknown): readonly string[] {
  readingFault(error);
  return [];
}

/** Files of an EDGAR `<accession>-xbrl.zip`; entries that the archive's own checks refuse are not there. */
export function filesOfZip(path: string): FilingFiles {
  return {
    async list() {
      return withZip(path, ({ entries }) => entries.map((entry) => entry.name).sort());
    },
    async read(name) {
      return withZip(path, ({ file, entries }) => {
        const entry = entries.find((candidate) => candidate.name === name);
        if (entry === undefined) throw new XmlFault('it is not in the archive');
        return readZipEntry(file, entry);
      });
    },
  };
}

/** The one extracted instance `edgar/instances/<cik>/<stem>_htm.xml`, plain or `.gz`. */
export function filesOfInstance(path: string): FilingFiles {
  return {
    list: async () => [plainName(basename(path))],
    read: async () => readPlain(path),
  };
}

function withZip<R>(
  path: string,
  act: (o: {
    file: ReturnType<typeof openRandomAccessFile>;
    entries: ReturnType<typeof readCentralDirectory>['entries'];
  }) => R,
): R {
  const file = openRandomAccessFile(path);
  try {
    const limits = {
      entryBytes: defaultXmlLimits.bytes,
      entryCount: 2000,
      totalBytes: 4 * defaultXmlLimits.bytes,
    };
    return act({ file, entries: readCentralDirectory({ file, limits }).entries });
  } finally {
    file.close();
  }
}

async function readPlain(path: string): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > defaultXmlLimits.bytes) throw new XmlFault(`it has more than ${defaultXmlLimits.bytes} bytes`);
  const bytes = await readFile(path);
  if (!path.endsWith('.gz')) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: defaultXmlLimits.bytes });
  } catch {
    throw new XmlFault(`it is damaged gzip data or holds more than ${defaultXmlLimits.bytes} bytes`);
  }
}

function plainName(name: string): string {
  return name.endsWith('.gz') ? name.slice(0, -3) : name;
}
