import type { Command } from 'commander';
import { fitColumns } from '../../data/contract/commandLine/fitColumns.ts';
import type { Store } from '../../data/store/storePort.ts';
import { withNightlyLock } from '../nightly/nightlyLock.ts';
import { stopIfAsked } from '../nightly/nightStep.ts';
import { dataLayout } from '../nightly/plan/dataLayout.ts';
import { requireLayout } from '../release/storeLayout.ts';
import { copiedText } from '../stores/copiedText.ts';
import { copyStores } from '../stores/copyStores.ts';
import { withPublicationLease } from '../stores/publicationLease.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

type CopyFlags = { readonly data: string; readonly dryRun: boolean };

const again =
  'What is there already is not sent again, every object is proved by its hash, and the pointers move last: stopped ' +
  'anywhere, the same command goes on. An address is a directory or s3://bucket/prefix with AWS_ACCESS_KEY_ID, ' +
  'AWS_SECRET_ACCESS_KEY, AWS_REGION and, for other providers, AWS_ENDPOINT_URL.';

/** `issuer release push|pull`: releases between this store and another one. */
export function mountCopyCommands(release: Command, shell: CommandShell): void {
  shellCommand(release, shell, {
    name: 'push',
    description: 'bring another store up to this one: packs, releases, then its pointers',
  })
    .argument('<to>', 'a directory, or s3://bucket/prefix')
    .option('--dry-run', 'say what would be copied and change nothing', false)
    .addHelpText(
      'after',
      `\n${again}\nNothing is removed there; \`issuer nightly\` with II_STORE also prunes.\n\nExamples:\n` +
        '  issuer release push s3://figures/production\n  issuer release push /mnt/backup/artifacts --dry-run',
    )
    .action((to: string, flags: CopyFlags) => copy(shell, { direction: 'push', address: to, flags }));
  shellCommand(release, shell, {
    name: 'pull',
    description: 'bring this store up to another one, as on a fresh machine',
  })
    .argument('<from>', 'a directory, or s3://bucket/prefix')
    .option('--dry-run', 'say what would be copied and change nothing', false)
    .addHelpText(
      'after',
      `\n${again}\nReleases are signed by the key of the machine that published them; bring its data/keys along to ` +
        'publish further ones.\n\nExamples:\n  issuer release pull s3://figures/production\n' +
        '  AWS_ENDPOINT_URL=https://objects.example.com issuer release pull s3://figures/production --data /srv/issuer',
    )
    .action((from: string, flags: CopyFlags) => copy(shell, { direction: 'pull', address: from, flags }));
}

async function copy(
  shell: CommandShell,
  { direction, address, flags }: { direction: 'push' | 'pull'; address: string; flags: CopyFlags },
): Promise<void> {
  const { environment, signal } = shell;
  const layout = dataLayout(flags.data);
  const paths = layout.artifacts;
  const { dryRun } = flags;
  await requireLayout(paths);
  const effects = shell.storeEffects();
  const { openStore } = await import('../../data/store/openStore.ts');
  const store: Store = openStore({ address, environment, signal });
  const request = { paths, store, direction, dryRun, effects, stopIfAsked: () => stopIfAsked(signal) };
  const unguarded = () => copyStores({ ...request, beforePointers: async () => undefined });
  try {
    const locked = <T>(act: () => Promise<T>) => withNightlyLock({ path: layout.lock, effects }, act);
    const run = () =>
      direction === 'pull'
        ? locked(unguarded)
        : withPublicationLease({ store, environment, ...effects }, (lease) =>
            locked(() => copyStores({ ...request, beforePointers: () => lease.assertHeld() })),
          );
    const done = await (dryRun ? unguarded() : run());
    const { releases = [], packs = [], bytes = 0 } = done.copied ?? {};
    if (shell.json)
      shell.printJson({ direction, store: store.address, dry_run: dryRun, releases, packs, bytes });
    else shell.print(fitColumns(copiedText(done, { direction, address: store.address, dryRun })));
  } finally {
    store.close();
  }
}
