import type { FilingFiles } from './filingFolder.ts';
import { XmlFault } from './xmlFault.ts';

/** The same files until `bytes` bytes of them are read; from then on every read throws XmlFault. */
export function boundedFiles(files: FilingFiles, bytes: number): FilingFiles {
  let read = 0;
  return {
    list: () => files.list(),
    async read(name) {
      if (read > bytes) throw new XmlFault(`the filing has more than ${bytes} bytes`);
      const content = await files.read(name);
      read += content.byteLength;
      return content;
    },
  };
}
