import type { StoresCopied } from './copyStores.ts';

/** What a copy between two stores did, or would do, in a line or two. */
export function copiedText(
  { relation, copied }: StoresCopied,
  { direction, address, dryRun }: { direction: 'push' | 'pull'; address: string; dryRun: boolean },
): string {
  const [from, to] = direction === 'push' ? ['this store', address] : [address, 'this store'];
  if (copied === null)
    return relation === 'same'
      ? `Nothing to copy: ${from} and ${to} say the same.\n`
      : `Nothing to copy: ${to} has all of ${from} and more.\n`;
  const { releases, packs, bytes } = copied;
  const what = `${counted(releases.length, 'release')} in ${counted(packs.length, 'new pack')}`;
  if (dryRun) return `Would copy ${what} from ${from} to ${to}.\n`;
  const size = `${bytes.toLocaleString('en')} bytes`;
  return `Copied ${what} (${size}) from ${from} to ${to}, read it again there, and moved the pointers.\n`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
