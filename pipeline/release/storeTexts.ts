import type { Pruned } from './pruneReleases.ts';

/** What a whole store holds, and what is wrong with it. */
export type StoreCheck = {
  readonly releases: number;
  readonly packs: number;
  /** Objects that a release needs, each read once. */
  readonly objects: number;
  readonly bytes: number;
  /** Bytes of the packs that no release needs; `issuer release prune` frees them where they are worth it. */
  readonly unreachable_bytes: number;
  /** Objects that lie in more than one pack. */
  readonly duplicate_objects: number;
  readonly problems: readonly string[];
};

/** What prune removed, or would remove, in one line. */
export function prunedText(pruned: Pruned, { dryRun }: { readonly dryRun: boolean }): string {
  const { builds, removed, rewritten, freedBytes } = pruned;
  if (builds.length + removed.length + rewritten.length === 0) return 'Nothing to prune.\n';
  const parts = [
    ...(builds.length === 0 ? [] : [`${counted(builds.length, 'superseded build')}: ${builds.join(', ')}`]),
    ...(removed.length === 0 ? [] : [`${counted(removed.length, 'pack')}: ${removed.join(', ')}`]),
    ...rewritten.map(({ from, to }) => `pack ${from} but for what is needed of it, now ${to}`),
  ];
  return `${dryRun ? 'Would prune' : 'Pruned'} ${parts.join('; ')} (${bytesText(freedBytes)}).\n`;
}

/** What was found of a whole store. */
export function storeCheckText(check: StoreCheck): string {
  const { problems } = check;
  const lines = [
    ...problems.map((problem) => `✗ ${problem}`),
    `${counted(check.releases, 'release')} in ${counted(check.packs, 'pack')}: ${counted(check.objects, 'object')} of ${bytesText(check.bytes)} read`,
    `${bytesText(check.unreachable_bytes)} that no release needs, ${counted(check.duplicate_objects, 'object')} more than once`,
    problems.length === 0 ? 'Nothing is wrong.' : `${counted(problems.length, 'problem')}.`,
  ];
  return `${lines.join('\n')}\n`;
}

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

function bytesText(bytes: number): string {
  return `${bytes.toLocaleString('en')} bytes`;
}
