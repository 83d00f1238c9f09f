import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { keyOfPem, type ReleaseKey } from '../../data/store/files/publishedKeys.ts';
import { replaceFileSync } from '../../data/store/files/replaceFile.ts';
import { StoreFault } from './renderStore.ts';

const privateFile = 'render-ed25519.pem';
const publicFile = 'render-ed25519.pub';

/** Signs receipts and manifests of renders; a key of the server's own, since it never reads that of the releases. */
export type RenderKey = ReleaseKey & {
  /** Ed25519 over the canon-1 form, base64 (I4.VIS.15). */
  sign(document: CanonicalValue): string;
};

/** Opens the key below a directory, or makes it (mode 0600) with its public half beside it. @throws StoreFault */
export function openRenderKey(directory: string): RenderKey {
  const path = join(directory, privateFile);
  try {
    const key = storedKey(path) ?? newKey(directory, path);
    const pem = createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString();
    if (publishedRenderKey(directory) === null)
      replaceFileSync({ path: join(directory, publicFile), bytes: pem, mode: 0o644 });
    return {
      ...keyOfPem(pem, path),
      sign: (document) => sign(null, Buffer.from(canonicalJson(document)), key).toString('base64'),
    };
  } catch (cause) {
    throw new StoreFault(`visual/${privateFile}`, 'The key that signs renders cannot be opened.', cause);
  }
}

/** The public half; null before the first render. */
export function publishedRenderKey(directory: string): ReleaseKey | null {
  const path = join(directory, publicFile);
  try {
    return keyOfPem(readFileSync(path, 'utf8'), path);
  } catch {
    return null;
  }
}

function storedKey(path: string): KeyObject | null {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw cause;
  }
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new TypeError(`${path} holds no Ed25519 key`);
}

function newKey(directory: string, path: string): KeyObject {
  mkdirSync(directory, { recursive: true, mode: 0o750 });
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const own = `${path}.${randomUUID()}`;
  replaceFileSync({ path: own, bytes: pem, mode: 0o600 });
  try {
    // of two servers that share the directory one is first, and both sign with its key
    linkSync(own, path);
    return privateKey;
  } catch (cause) {
    const first = storedKey(path);
    if (first === null) throw cause;
    return first;
  } finally {
    rmSync(own, { force: true });
  }
}

type PublishedKey = ReturnType<typeof publishedRenderKey>;

/** The public half of the key of renders, read again until there is one: the first render makes it (I4.VIS.15). */
export function renderKeyWatch(directory: string): () => PublishedKey {
  let known: PublishedKey = null;
  return () => (known ??= publishedRenderKey(directory));
}
