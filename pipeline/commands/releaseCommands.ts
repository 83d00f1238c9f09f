import type { Command } from 'commander';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { Store } from '../../data/store/storePort.ts';
import { dataLayout } from '../dataLayout.ts';
import type { StoreEffects } from '../effects.ts';
import { stopIfAsked } from '../nightly/nightStep.ts';
import type { ListedRelease } from '../release/releaseCommands.ts';
import type { VerifiedRelease } from '../release/verifyRelease.ts';
import { type CommandShell, changeReleases, shellCommand, show } from './commandShell.ts';
import { mountStoreCommands } from './storeCommands.ts';

/** `issuer release list|verify|promote|rollback|withdraw`, and those over what lies in the packs. */
export function mountReleaseCommands(program: Command, shell: CommandShell): void {
  const release = program.command('release').description('list, verify and move between published releases');
  shellCommand(release, shell, 'list').action(async ({ data }: { data: string }) => {
    const { listReleases } = await import('../release/releaseCommands.ts');
    const { requireLayout } = await import('../release/storeLayout.ts');
    await requireLayout(dataLayout(data).artifacts);
    const rows = await listReleases(dataLayout(data).artifacts);
    if (rows.length === 0 && !shell.json)
      shell.print('No release yet. Run `issuer nightly --source fixtures`.\n');
    for (const row of rows) show(shell, row, listedText(row));
  });
  addVerify(release, shell);
  shellCommand(release, shell, 'promote')
    .argument('<release>')
    .action(async (name: string, { data }: { data: string }) => {
      const { ownPublicKeys, releaseOrCurrent } = await import('../release/namedRelease.ts');
      const { promoteByHand } = await import('../release/releaseCommands.ts');
      const layout = dataLayout(data);
      const paths = layout.artifacts;
      await releaseOrCurrent(layout, name);
      const done = await changeReleases(shell, { layout, alone: true }, async ({ files }) =>
        promoteByHand({ paths, name, publicKeys: await ownPublicKeys(layout), files }),
      );
      show(shell, done, `${name} answers for its date; current is ${done.current}.\n`);
    });
  shellCommand(release, shell, 'rollback')
    .argument('[to]', 'a release or a source date (default: the slice before the current one)')
    .action(async (to: string | undefined, { data }: { data: string }) => {
      const { rollbackRelease } = await import('../release/rollbackRelease.ts');
      const { openSigningKey } = await import('../release/signingKey.ts');
      const layout = dataLayout(data);
      const done = await changeReleases(shell, { layout, alone: true }, async ({ files }) => {
        const key = await openSigningKey({ path: layout.signingKey, files });
        return rollbackRelease({ paths: layout.artifacts, to: to ?? null, key, files });
      });
      const { release, from, source } = done;
      show(
        shell,
        { release, from, source },
        `${release} is current: the content of ${source}, in place of ${from}.\n`,
      );
    });
  addWithdraw(release, shell);
  mountStoreCommands(release, shell);
  mountCopyCommands(release, shell);
}

function listedText(row: ListedRelease): string {
  if (row.damaged !== null) return `${row.release.padEnd(13)} damaged    ${row.damaged}\n`;
  const former = row.withdrawn === null ? 'superseded' : 'withdrawn';
  const state = row.current ? 'current' : row.promoted ? 'promoted' : former;
  return (
    `${row.release.padEnd(13)} ${state.padEnd(10)} ${row.slice_status?.padEnd(9)} ${row.kind?.padEnd(10)} ` +
    `${String(row.artifacts).padStart(5)} files  ${row.generated_at}\n`
  );
}

function addVerify(release: Command, shell: CommandShell): void {
  shellCommand(release, shell, 'verify')
    .argument('[release]', 'for example 2025-11-19.1 (default: the current one)')
    .option('--store <address>', 'read it in another store: a directory, or s3://bucket/prefix')
    .action(async (name: string | undefined, { data, store }: { data: string; store?: string }) => {
      const { ownPublicKeys, releaseOrCurrent } = await import('../release/namedRelease.ts');
      const { verifyRelease } = await import('../release/verifyRelease.ts');
      const layout = dataLayout(data);
      const publicKeys = await ownPublicKeys(layout);
      if (store === undefined) await requireSequence(layout);
      const { manifest, bytes } =
        store === undefined
          ? await verifyRelease({
              paths: layout.artifacts,
              name: await releaseOrCurrent(layout, name),
              publicKeys,
            })
          : await verifyElsewhere(shell, { address: store, name: name ?? null, publicKeys });
      const { version, artifact_count: artifacts, signature } = manifest;
      const { key_id } = signature;
      show(
        shell,
        { release: version, verified: true, artifacts, bytes, key_id },
        `${version} verifies: ${artifacts} artifacts, ${bytes} bytes, signed by ${key_id}.\n`,
      );
    });
}

async function verifyElsewhere(
  { environment, signal }: CommandShell,
  { address, ...wanted }: { address: string; name: string | null; publicKeys: readonly string[] | null },
): Promise<VerifiedRelease> {
  const { verifyStored } = await import('../stores/copyReleases.ts');
  const { openStore } = await import('../../data/store/openStore.ts');
  const store = openStore({ address, environment, signal });
  try {
    return await verifyStored({ store, ...wanted });
  } finally {
    store.close();
  }
}

function addWithdraw(release: Command, shell: CommandShell): void {
  shellCommand(release, shell, 'withdraw')
    .argument('<source_date>', 'the day of the slice')
    .requiredOption('--reason <text>', 'why; readers, /ready and the operations page see it')
    .option('--dry-run', 'say what would change and change nothing', false)
    .action(async (sourceDate: string, flags: { data: string; reason: string; dryRun: boolean }) => {
      const { runWithdraw, withdrawnJson, withdrawnText } = await import('../backfill/runWithdraw.ts');
      const { codeVersion } = await import('../nightly/codeVersion.ts');
      const layout = dataLayout(flags.data);
      const options = { ...flags, layout, sourceDate, code: await codeVersion(), signal: shell.signal };
      const run = (effects: StoreEffects) => runWithdraw(options, effects);
      const done = await (flags.dryRun ? run(shell.storeEffects()) : changeReleases(shell, { layout }, run));
      if (shell.json) shell.printJson(withdrawnJson(done));
      else shell.print(withdrawnText(done, flags));
    });
}

type CopyFlags = { readonly data: string; readonly dryRun: boolean };

/** `issuer release push|pull`: releases between this store and another one. */
function mountCopyCommands(release: Command, shell: CommandShell): void {
  shellCommand(release, shell, 'push')
    .argument('<to>', 'a directory, or s3://bucket/prefix')
    .option('--dry-run', 'say what would be copied and change nothing', false)
    .action((to: string, flags: CopyFlags) => copy(shell, { direction: 'push', address: to, flags }));
  shellCommand(release, shell, 'pull')
    .argument('<from>', 'a directory, or s3://bucket/prefix')
    .option('--dry-run', 'say what would be copied and change nothing', false)
    .action((from: string, flags: CopyFlags) => copy(shell, { direction: 'pull', address: from, flags }));
}

async function copy(
  shell: CommandShell,
  { direction, address, flags }: { direction: 'push' | 'pull'; address: string; flags: CopyFlags },
): Promise<void> {
  const { withNightlyLock } = await import('../nightly/nightlyLock.ts');
  const { requireLayout } = await import('../release/storeLayout.ts');
  const { copiedText, copyStores } = await import('../stores/copyStores.ts');
  const { withPublicationLease } = await import('../stores/publicationLease.ts');
  const { environment, signal } = shell;
  const layout = dataLayout(flags.data);
  const paths = layout.artifacts;
  const { dryRun } = flags;
  await requireLayout(paths);
  const effects = shell.storeEffects();
  const { openStore } = await import('../../data/store/openStore.ts');
  const store: Store = openStore({ address, environment, signal });
  const request = { paths, store, direction, dryRun, effects, stopIfAsked: () => stopIfAsked(signal) };
  const unguarded = () => copyStores({ ...request, assertHeld: async () => undefined });
  try {
    const locked = <T>(act: () => Promise<T>) => withNightlyLock({ path: layout.lock, effects }, act);
    const run = () =>
      direction === 'pull'
        ? locked(unguarded)
        : withPublicationLease({ store, environment, ...effects }, (lease) =>
            locked(() => copyStores({ ...request, assertHeld: () => lease.assertHeld() })),
          );
    const done = await (dryRun ? unguarded() : run());
    const { releases = [], packs = [], bytes = 0 } = done.copied ?? {};
    show(
      shell,
      { direction, store: store.address, dry_run: dryRun, releases, packs, bytes },
      copiedText(done, { direction, address: store.address, dryRun }),
    );
  } finally {
    store.close();
  }
}

/** @throws IssuerError `validation_failed` when the store is older than one that was seen (STORE ST21) */
async function requireSequence(layout: ReturnType<typeof dataLayout>): Promise<void> {
  const { sequenceProblems } = await import('../release/sealPointers.ts');
  const problems = await sequenceProblems(layout);
  if (problems.length === 0) return;
  throw new IssuerError({
    code: 'validation_failed',
    message: `The store is not the one that was signed last: ${problems.join('; ')}.`,
    hint: 'Where it was restored on purpose, `issuer release promote <release>` signs what answers anew.',
  });
}
