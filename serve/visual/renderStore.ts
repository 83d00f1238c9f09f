import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { compareText } from '../../data/contract/values/compareText.ts';
import { fitReport } from '../../data/contract/visual/fitReport.ts';
import { renderFiles, renderReceipt, type StoredRender } from '../../data/contract/visual/renderReceipt.ts';
import { visualContract } from '../../data/contract/visual/visualContract.ts';
import { indexEntry } from '../../data/contract/visual/visualToolData.ts';
import { keyOfPem, type ReleaseKey } from '../../data/store/files/publishedKeys.ts';
import { moveIntoSync, replaceFileSync } from '../../data/store/files/replaceFile.ts';

/** What is read of every stored render when the store is opened: whose it is, its receipt, what the search knows of it. */
const storedRender = z.strictObject({
  schema_id: z.literal('visual_stored_render.v1'),
  /** API key that asked for it. */
  owner: z.string().min(1),
  artifact_id: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  receipt: renderReceipt,
  entry: indexEntry,
});

export type StoredRenderHead = z.infer<typeof storedRender>;

/** Renders on the disk, each in a folder named by its receipt (I4.VIS.12a). */
export type RenderStore = {
  /** Those of one owner with this contract and these versions, newest first. */
  same(owner: string, drawing: Drawing): readonly StoredRenderHead[];
  /** Those that an owner may see: its own and public ones. */
  visible(owner: string): readonly StoredRenderHead[];
  /** null: there is none of this id that the owner may see. */
  find(owner: string, receiptId: string): StoredRenderHead | null;
  /** The files of a render. @throws StoreFault when they are missing or are not what was signed */
  read(head: StoredRenderHead): StoredRender;
  /** Stores all of a render or nothing, and drops the oldest of an owner that has too many. @throws StoreFault */
  put(head: StoredRenderHead, files: StoredRender): void;
};

/** What a picture's bytes follow from. */
export type Drawing = Pick<
  StoredRenderHead['receipt'],
  'contract_sha256' | 'renderer_version' | 'layout_engine_version' | 'font_metrics_version'
>;

/** Nothing can be stored, or what is stored cannot be read. */
export class StoreFault extends Error {
  readonly key: string;
  constructor(key: string, why: string, cause?: unknown) {
    super(why, { cause });
    this.key = key;
  }
}

/** Most renders stored for one owner; the oldest is deleted first. */
export const mostOfOwner = 1000;
const abandonedMs = 3_600_000;
const headFile = 'stored.json';
const receiptFolder = /^vrcp_[0-9A-HJKMNP-TV-Z]{26}$/;
const unfinished = /^\.new-/;

type Opening = { readonly directory: string; readonly nowMs: number; readonly most?: number };

/**
 * Opens the renders below a directory, which is made with the first one. Several servers may share it: what another one
 * stored is found as well, and a folder gets its name when it is complete.
 */
export function renderStore({ directory, nowMs, most = mostOfOwner }: Opening): RenderStore {
  const heads = new Map<string, StoredRenderHead>();
  // a folder that holds no render is read once
  const broken = new Set<string>();
  sweep(directory, nowMs);

  function look(): void {
    const names = new Set(namesIn(directory).filter((name) => receiptFolder.test(name)));
    for (const name of heads.keys()) if (!names.has(name)) heads.delete(name);
    for (const name of names) {
      if (heads.has(name) || broken.has(name)) continue;
      const head = headIn(join(directory, name));
      if (head === null || head.receipt.receipt_id !== name) broken.add(name);
      else heads.set(name, head);
    }
  }

  const newestFirst = (of: (head: StoredRenderHead) => boolean): StoredRenderHead[] => {
    look();
    return [...heads.values()].filter(of).sort((a, b) => compareText(idOf(b), idOf(a)));
  };
  const mayRead = (owner: string) => (head: StoredRenderHead) =>
    head.owner === owner || head.entry.visibility === 'public';

  return {
    same: (owner, drawing) => newestFirst((head) => head.owner === owner && isOf(head.receipt, drawing)),
    visible: (owner) => newestFirst(mayRead(owner)),
    find(owner, receiptId) {
      look();
      const head = heads.get(receiptId);
      return head !== undefined && mayRead(owner)(head) ? head : null;
    },
    read: (head) => readFiles(directory, head),
    put(head, files) {
      const id = idOf(head);
      const temporary = join(directory, `.new-${id}`);
      try {
        mkdirSync(temporary, { recursive: true, mode: 0o750 });
        const about = [headFile, '', canonicalJson(head)] as const;
        for (const [name, , text] of [...renderFiles(files), about])
          writeFileSync(join(temporary, name), text, { mode: 0o640, flush: true });
        moveIntoSync({ from: temporary, to: join(directory, id) });
      } catch (cause) {
        rmSync(temporary, { recursive: true, force: true });
        throw new StoreFault(`visual/${id}`, 'The render cannot be stored.', cause);
      }
      heads.set(id, head);
      const own = newestFirst(({ owner }) => owner === head.owner);
      for (const old of own.slice(most)) {
        heads.delete(idOf(old));
        rmSync(join(directory, idOf(old)), { recursive: true, force: true });
      }
    },
  };
}

const idOf = ({ receipt }: StoredRenderHead): string => receipt.receipt_id;

const isOf = (receipt: Drawing, drawing: Drawing): boolean =>
  (Object.keys(drawing) as (keyof Drawing)[]).every((member) => receipt[member] === drawing[member]);

function readFiles(directory: string, head: StoredRenderHead): StoredRender {
  const { receipt } = head;
  const text = (name: string, sha256: string): string => {
    const key = `visual/${receipt.receipt_id}/${name}`;
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(directory, receipt.receipt_id, name));
    } catch (cause) {
      throw new StoreFault(key, 'A file of the render cannot be read.', cause);
    }
    if (hash('sha256', bytes, 'hex') === sha256) return bytes.toString('utf8');
    throw new StoreFault(key, 'A file of the render is not the one that was signed.');
  };
  return {
    contract: visualContract.parse(JSON.parse(text('contract.json', receipt.contract_sha256))),
    svg: text('diagram.svg', receipt.artifact_sha256),
    fitReport: fitReport.parse(JSON.parse(text('fit_report.json', receipt.fit_report_sha256))),
    textAlternative: text('text_alternative.txt', receipt.text_alternative_sha256),
    receipt,
  };
}

function headIn(folder: string): StoredRenderHead | null {
  try {
    return storedRender.parse(JSON.parse(readFileSync(join(folder, headFile), 'utf8')));
  } catch {
    return null;
  }
}

// what a server left that died while it stored a render
function sweep(directory: string, nowMs: number): void {
  for (const name of namesIn(directory).filter((one) => unfinished.test(one))) {
    const path = join(directory, name);
    try {
      if (nowMs - statSync(path).mtimeMs > abandonedMs) rmSync(path, { recursive: true, force: true });
    } catch {
      // another server was faster
    }
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

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
