import type { AnyStored } from '../../data/contract/payloads/stored.ts';
import type { MadeOrNot } from '../compute/leftOut.ts';
import type { StreamedRequest } from '../history/streamHistory.ts';
import type { ReleaseArtifact } from '../release/artifact.ts';
import type { PutFile } from '../release/draftRelease.ts';
import type { AvailableContexts, FamilyContexts } from './familyContexts.ts';

/** Artifacts of a release that belong together, and the laws they keep. */
export type Family = {
  readonly id: string;
  readonly stored: readonly AnyStored[];
  /** Its laws hold for the rows of one issuer alone. */
  readonly isPerIssuer: boolean;
  /**
   * Its artifacts that this kind of release holds (I4.36), and those it could do without and has to (M6.6c).
   *
   * @param made those of the families before it; none where no family of this kind needs them
   * @throws IssuerError `validation_failed`
   */
  make(
    contexts: AvailableContexts,
    o: { readonly backfilled: boolean; readonly made?: MadeArtifacts },
  ): Promise<MadeOrNot[]>;
  /** One sentence a broken law, with the rule's number; also for a release that does not hold the artifacts. */
  violations(contexts: AvailableContexts): readonly string[];
};

/** Artifacts of a release made so far, by key. */
export type MadeArtifacts = ReadonlyMap<string, ReleaseArtifact>;

type Made = readonly MadeOrNot[];

/**
 * Defines a family.
 *
 * @param needs the context it is made from
 * @param isPerIssuer its laws are about single rows, not about lists
 * @param parts each stored form of its payloads, or several of the same releases made at once, and how it is made
 */
export function family<const Need extends keyof FamilyContexts>({
  id,
  needs,
  parts,
  isPerIssuer = false,
  violations,
}: {
  id: string;
  needs: Need;
  parts: readonly {
    readonly stored: AnyStored | readonly AnyStored[];
    readonly make: (context: FamilyContexts[NoInfer<Need>], made: MadeArtifacts) => Made | Promise<Made>;
  }[];
  isPerIssuer?: boolean;
  violations?: (context: FamilyContexts[NoInfer<Need>]) => readonly string[];
}): Family {
  return {
    id,
    stored: parts.flatMap(({ stored }) => stored),
    isPerIssuer,
    async make(contexts, { backfilled, made = new Map() }) {
      const context = contexts[needs];
      if (context === undefined) return [];
      const kind = backfilled ? 'backfilled' : 'full';
      const held = parts.filter(({ stored }) =>
        [stored].flat().every(({ releases }) => releases === 'all' || releases === kind),
      );
      const artifacts: MadeOrNot[] = [];
      for (const { make } of held) artifacts.push(...(await make(context, made)));
      return artifacts;
    },
    violations(contexts) {
      const context = contexts[needs];
      return context === undefined ? [] : (violations?.(context) ?? []);
    },
  };
}

/** Artifacts too long to hold together: made from promoted slices and the current one, one file after another. */
export type StreamedFamily = {
  readonly id: string;
  /** All of the same kind of release. */
  readonly stored: readonly AnyStored[];
  /** @throws IssuerError `validation_failed` when an earlier build is damaged. */
  readonly write: (request: StreamedRequest, put: PutFile) => Promise<void>;
};
