import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { IssuerError } from '../../contract/errors/issuerError.ts';
import { realFiles } from '../effects.ts';
import { type DataLayout, dataLayout } from '../nightly/dataLayout.ts';
import { withNightlyLock } from '../nightly/nightlyLock.ts';
import { listReleases, promoteByHand } from '../release/releaseCommands.ts';
import { readCurrent } from '../release/releaseStore.ts';
import { rollbackRelease } from '../release/rollbackRelease.ts';
import { openSigningKey } from '../release/signingKey.ts';
import { verifyRelease } from '../release/verifyRelease.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer release list|verify|promote|rollback`. */
export function mountReleaseCommands(program: Command, shell: CommandShell): void {
  const release = program.command('release').description('list, verify and move between published releases');
  shellCommand(release, shell, {
    name: 'list',
    description: 'show every build and which one answers',
  }).action(async ({ data }: { data: string }) => {
    const rows = await listReleases(dataLayout(data).artifacts);
    if (shell.json) for (const row of rows) shell.printJson(row);
    else if (rows.length === 0) shell.print('No release yet. Run `issuer nightly --source fixtures`.\n');
    for (const row of shell.json ? [] : rows) {
      const state = row.current ? 'current' : row.promoted ? 'promoted' : 'superseded';
      shell.print(
        `${row.release.padEnd(14)} ${state.padEnd(11)} ${row.slice_status.padEnd(9)} ${row.kind.padEnd(11)} ` +
          `${String(row.artifacts).padStart(5)} artifacts  as of ${row.generated_at}\n`,
      );
    }
  });
  shellCommand(release, shell, {
    name: 'verify',
    description: 'read every byte of a release again: signature, hashes, codings, row offsets',
  })
    .argument('[release]', 'for example 2025-11-19.1 (default: the current one)')
    .action(async (name: string | undefined, { data }: { data: string }) => {
      const layout = dataLayout(data);
      const wanted = name ?? (await currentOrFail(layout));
      const directory = join(layout.artifacts.releases, wanted);
      if (!existsSync(directory)) throw unknownRelease(wanted);
      const publicKey = await ownPublicKey(layout);
      const { manifest, bytes } = await verifyRelease({ directory, name: wanted, publicKey });
      const { key_id } = manifest.signature;
      if (shell.json)
        shell.printJson({
          release: wanted,
          verified: true,
          artifacts: manifest.artifact_count,
          bytes,
          key_id,
        });
      else
        shell.print(
          `${wanted} verifies: ${manifest.artifact_count} artifacts, ${bytes} bytes, signed by ${key_id}.\n`,
        );
    });
  shellCommand(release, shell, {
    name: 'promote',
    description: 'make a build the one that answers for its date',
  })
    .argument('<release>')
    .action(async (name: string, { data }: { data: string }) => {
      const layout = dataLayout(data);
      if (!existsSync(join(layout.artifacts.releases, name))) throw unknownRelease(name);
      const effects = shell.storeEffects();
      const done = await withNightlyLock({ path: layout.lock, effects }, async () =>
        promoteByHand({
          paths: layout.artifacts,
          name,
          publicKey: await ownPublicKey(layout),
          files: effects.files,
        }),
      );
      if (shell.json) shell.printJson(done);
      else shell.print(`${name} answers for its date; current is ${done.current}.\n`);
    });
  shellCommand(release, shell, {
    name: 'rollback',
    description: 'publish an older slice again as a new build and make it current',
  })
    .argument('[to]', 'a release or a source date (default: the slice before the current one)')
    .action(async (to: string | undefined, { data }: { data: string }) => {
      const layout = dataLayout(data);
      const effects = shell.storeEffects();
      const done = await withNightlyLock({ path: layout.lock, effects }, async () => {
        const key = await openSigningKey({ path: layout.signingKey, files: effects.files });
        return rollbackRelease({ paths: layout.artifacts, to: to ?? null, key, files: effects.files });
      });
      if (shell.json) shell.printJson({ release: done.release, from: done.from, source: done.source });
      else
        shell.print(`${done.release} is current: the content of ${done.source}, in place of ${done.from}.\n`);
    });
}

async function currentOrFail(layout: DataLayout): Promise<string> {
  const current = await readCurrent(layout.artifacts);
  if (current !== null) return current;
  throw new IssuerError({
    code: 'input_missing',
    message: 'No release has been published yet.',
    hint: 'Run `issuer nightly --source fixtures`.',
  });
}

function unknownRelease(name: string): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message: `There is no release ${name.slice(0, 64)}.`,
    hint: 'See which ones there are with `issuer release list`.',
  });
}

async function ownPublicKey(layout: DataLayout): Promise<string | null> {
  if (!existsSync(layout.signingKey)) return null;
  return (await openSigningKey({ path: layout.signingKey, files: realFiles() })).publicKey;
}
