import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { StoreFault } from '../../data/store/storeReads.ts';

/** The store did not answer, or refused; says nothing of the bytes that lie there. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway';
  /** It was known before, and nothing was asked. */
  readonly isKnown: boolean;

  constructor(why: string, { isKnown, cause }: { isKnown: boolean; cause?: unknown }) {
    super(why, { cause });
    this.isKnown = isKnown;
  }
}

/** The error of an artifact that exists and cannot be served (I4.9); `why` completes the sentence. */
export function unavailable(key: string, why: string, cause?: unknown): IssuerError {
  return new IssuerError({
    code: 'artifact_unavailable',
    message: `Artifact ${key} cannot be served: ${why}.`,
    hint: 'Try again later; the operator sees the same in /ready and the log.',
    details: { artifact_key: key },
    cause,
  });
}

/** The error of an artifact whose read failed: what is wrong with its bytes, or the read itself. */
export function unservable(key: string, cause: unknown): IssuerError {
  if (cause instanceof IssuerError) return cause;
  if (cause instanceof StoreAway) return unavailable(key, 'the object store does not answer', cause);
  return cause instanceof StoreFault ? unavailable(key, cause.message, cause) : unreadable(key, cause);
}

/** The error of a read that failed: load, where no file can be opened just now, which says nothing of the file. */
function unreadable(key: string, cause: unknown): IssuerError {
  return shortOfDescriptors(cause) ? overloadedStore(cause) : unavailable(key, 'it cannot be read', cause);
}

/** Whether the process or the machine has as many files and sockets open as it may. */
export function shortOfDescriptors(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && (cause.code === 'EMFILE' || cause.code === 'ENFILE');
}

export function overloadedStore(cause: unknown): IssuerError {
  return new IssuerError({
    code: 'overloaded',
    message: 'The server has too many connections open to read an artifact.',
    hint: 'Try again.',
    cause,
  });
}

/** Whether a read of the store was refused for load alone, so that what was known before still holds. */
export function isOverloaded(error: unknown): boolean {
  return error instanceof IssuerError && error.code === 'overloaded';
}

/** A file of a release that cannot be served: unreadable, of another hash, or not of its form (I4.9, I9.17). */
export type ArtifactFault = { readonly release: string; readonly key: string; readonly message: string };

export type ArtifactFaults = {
  /**
   * Runs the load of an artifact, or of a share of it; its failure is a fault until a later load of the same succeeds.
   *
   * @param at what is loaded: another share of the artifact may be whole
   * @throws as `load`
   */
  watch<T>(
    o: { readonly release: string; readonly key: string; readonly at: string },
    load: () => Promise<T>,
  ): Promise<T>;
  /** Forgets every fault; what stands still is found again. */
  clear(): void;
  /** Faults of a release that still stand. */
  of(release: string): Promise<readonly ArtifactFault[]>;
};

type Known = {
  readonly fault: ArtifactFault;
  readonly at: string;
  readonly again: () => Promise<unknown>;
  checkedMs: number;
};

const mostKnown = 1000;
/** A fault is tried again this often without a request, so that what was passing or repaired is forgotten. */
const recheckMs = 30_000;
const recheckedAtOnce = 8;

/** @param onFault called once with each fault, and again only after it was cleared */
export function artifactFaults({
  onFault,
  nowMs,
}: {
  onFault(fault: ArtifactFault): void;
  nowMs(): number;
}): ArtifactFaults {
  const faults = new Map<string, Known>();

  async function watch<T>(
    { release, key, at }: { release: string; key: string; at: string },
    load: () => Promise<T>,
  ): Promise<T> {
    const place = `${release} ${at}`;
    try {
      const loaded = await load();
      faults.delete(place);
      return loaded;
    } catch (error) {
      if (error instanceof IssuerError && error.code === 'artifact_unavailable' && !isOutage(error))
        note({ release, key, message: error.message }, { at, again: load });
      throw error;
    }
  }

  function note(fault: ArtifactFault, { at, again }: Pick<Known, 'at' | 'again'>): void {
    const place = `${fault.release} ${at}`;
    const isNew = !faults.has(place);
    faults.set(place, { fault, at, again, checkedMs: nowMs() });
    for (const oldest of faults.keys()) {
      if (faults.size <= mostKnown) break;
      faults.delete(oldest);
    }
    if (isNew) onFault(fault);
  }

  const ofRelease = (release: string): Known[] =>
    [...faults.values()].filter(({ fault }) => fault.release === release);

  return {
    watch,
    clear: () => faults.clear(),
    async of(release) {
      const due = ofRelease(release).filter(({ checkedMs }) => nowMs() - checkedMs >= recheckMs);
      const rechecked = due.slice(0, recheckedAtOnce);
      await Promise.all(
        rechecked.map(({ fault, at, again }) => watch({ ...fault, at }, again).catch(() => {})),
      );
      return ofRelease(release).map(({ fault }) => fault);
    },
  };
}

/** The whole store is known to be away, which says nothing of an artifact. */
function isOutage({ cause }: IssuerError): boolean {
  return cause instanceof StoreAway && cause.isKnown;
}
