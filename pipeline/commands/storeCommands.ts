import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { Command } from 'commander';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { dataLayout } from '../dataLayout.ts';
import type { StoreEffects } from '../effects.ts';
import { namedDirectory } from '../namedFile.ts';
import { stopIfAsked } from '../nightly/nightStep.ts';
import { type CommandShell, changeReleases, shellCommand, show } from './commandShell.ts';

/** `issuer release ls|cat|extract|fsck|prune`: what lies in the packs of the store. */
export function mountStoreCommands(release: Command, shell: CommandShell): void {
  addList(release, shell);
  addCat(release, shell);
  addExtract(release, shell);
  addCheck(release, shell);
  addPrune(release, shell);
}

function addList(release: Command, shell: CommandShell): void {
  shellCommand(release, shell, 'ls')
    .argument('[release]', 'for example 2025-11-19.1 (default: the current one)')
    .action(async (name: string | undefined, { data }: { data: string }) => {
      const { releaseOrCurrent } = await import('../release/namedRelease.ts');
      const { readManifest } = await import('../release/releaseStore.ts');
      const layout = dataLayout(data);
      const wanted = await releaseOrCurrent(layout, name);
      const { manifest } = await readManifest(layout.artifacts, wanted);
      for (const { key, bytes, sha256, media_type } of manifest.artifacts) {
        const line = `${String(bytes).padStart(10)}  ${sha256.slice(0, 12)}  ${key}\n`;
        show(shell, { release: wanted, key, bytes, sha256, media_type }, line);
      }
    });
}

function addCat(release: Command, shell: CommandShell): void {
  shellCommand(release, shell, 'cat')
    .argument('<release>')
    .argument('<key>', 'as `issuer release ls` shows it')
    .action(async (name: string, key: string, { data }: { data: string }) => {
      const { releaseOrCurrent } = await import('../release/namedRelease.ts');
      const { openRelease } = await import('../release/openRelease.ts');
      const layout = dataLayout(data);
      const opened = await openRelease(layout.artifacts, await releaseOrCurrent(layout, name));
      const entry = opened.manifest.artifacts.find((one) => one.key === key);
      const bytes = await opened.read(key);
      if (entry === undefined || bytes === null) throw unknownKey(name, key);
      if (!/^(text\/|image\/svg|application\/(json|x-ndjson))/.test(entry.media_type)) {
        throw notText(name, entry);
      }
      const text = bytes.toString('utf8');
      if (shell.isTerminal) shell.print(text.endsWith('\n') ? text : `${text}\n`);
      else shell.printData(text);
    });
}

function addExtract(release: Command, shell: CommandShell): void {
  shellCommand(release, shell, 'extract')
    .argument('<release>')
    .argument('<dir>', 'a directory that is empty or not there yet')
    .action(async (name: string, dir: string, { data }: { data: string }) => {
      const { extractRelease } = await import('../release/extractRelease.ts');
      const { releaseOrCurrent } = await import('../release/namedRelease.ts');
      const layout = dataLayout(data);
      const wanted = await releaseOrCurrent(layout, name);
      const directory = await namedDirectory(dir, layout.root);
      if (existsSync(directory) && (await readdir(directory)).length > 0) throw notEmpty(directory);
      const { files } = shell.storeEffects();
      const paths = layout.artifacts;
      const { keys, bytes } = await extractRelease({ paths, name: wanted, directory, files });
      const done = { release: wanted, directory, artifacts: keys.length, bytes };
      show(shell, done, `${keys.length} artifacts of ${wanted}, ${bytes} bytes, lie in ${directory}.\n`);
    });
}

function addCheck(release: Command, shell: CommandShell): void {
  shellCommand(release, shell, 'fsck')
    .option('--store <address>', 'read another store where it lies: a directory, or s3://bucket/prefix')
    .action(async (flags: { data: string; store?: string }) => {
      const { ownPublicKeys } = await import('../release/namedRelease.ts');
      const { requireLayout } = await import('../release/storeLayout.ts');
      const { storeCheckText } = await import('../release/storeTexts.ts');
      const { checkStore } = await import('../stores/checkStore.ts');
      const layout = dataLayout(flags.data);
      if (flags.store === undefined) await requireLayout(layout.artifacts);
      const publicKeys = await ownPublicKeys(layout);
      const { environment, signal } = shell;
      const { openStore } = await import('../../data/store/openStore.ts');
      const address = flags.store ?? layout.artifacts.root;
      const store = openStore({ address, environment, signal, keepOpen: 16 });
      try {
        const check = await checkStore({ store, publicKeys, stopIfAsked: () => stopIfAsked(signal) });
        show(shell, check, storeCheckText(check));
        const [first, ...more] = check.problems;
        if (first !== undefined) throw damagedStore(first, more.length);
      } finally {
        store.close();
      }
    });
}

function damagedStore(first: string, more: number): IssuerError {
  return new IssuerError({
    code: 'validation_failed',
    message: `The artifact store is damaged: ${first.replace(/\.$/, '')}${more === 0 ? '' : ` (and ${more} more)`}.`,
    hint: 'Run `issuer nightly`: it repairs what it builds on. Or restore the file from a backup, or publish the date again with `issuer nightly --date <date> --force`.',
  });
}

function addPrune(release: Command, shell: CommandShell): void {
  shellCommand(release, shell, 'prune')
    .option('--dry-run', 'say what would go and remove nothing', false)
    .action(async (flags: { data: string; dryRun: boolean }) => {
      const { pruneReleases } = await import('../release/pruneReleases.ts');
      const { requireLayout } = await import('../release/storeLayout.ts');
      const { prunedText } = await import('../release/storeTexts.ts');
      const layout = dataLayout(flags.data);
      const paths = layout.artifacts;
      await requireLayout(paths);
      const { dryRun } = flags;
      const prune = ({ clock, files }: StoreEffects) =>
        pruneReleases({ paths, now: clock.now(), files, all: true, dryRun });
      const done = await (dryRun
        ? prune(shell.storeEffects())
        : changeReleases(shell, { layout, alone: true }, prune));
      const { builds, removed: packs, rewritten, freedBytes: freed_bytes } = done;
      show(shell, { dry_run: dryRun, builds, packs, rewritten, freed_bytes }, prunedText(done, { dryRun }));
    });
}

function unknownKey(release: string, key: string): IssuerError {
  return new IssuerError({
    code: 'input_missing',
    message: `Release ${release.slice(0, 64)} has no artifact ${key.slice(0, 200)}.`,
    hint: `See which there are with \`issuer release ls ${release.slice(0, 64)}\`.`,
  });
}

function notText(release: string, { key, media_type }: { key: string; media_type: string }): IssuerError {
  return new IssuerError({
    code: 'usage',
    message: `${key} is ${media_type}, no text to print.`,
    hint: `Write the release as files: issuer release extract ${release.slice(0, 64)} <dir>.`,
  });
}

function notEmpty(directory: string): IssuerError {
  return new IssuerError({
    code: 'usage',
    message: `${directory} is not empty.`,
    hint: 'Name a directory that is empty or not there yet.',
  });
}
