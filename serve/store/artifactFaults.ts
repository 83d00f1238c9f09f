import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { StoreAway } from './storeAway.ts';

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

/** @param onFault told of each fault once, until it is gone */
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
