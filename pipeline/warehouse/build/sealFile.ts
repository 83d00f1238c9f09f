import { open } from 'node:fs/promises';

/** Waits until the bytes of a file are on the disk; from here on it is read-only for everybody but root. */
export async function sealFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.chmod(0o444);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
