import type { Command } from 'commander';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import type { CheckedVersion } from '../modelCard/recordVersions.ts';
import { programRoot } from '../programRoot.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer registry check|record`. */
export function mountRegistryCommands(program: Command, shell: CommandShell): void {
  const registry = program.command('registry').description('versions of parameters, concepts and words');
  shellCommand(registry, shell, {
    name: 'check',
    description: 'compare values with the hashes their versions were recorded with',
  }).action(async () => {
    const { checkVersions } = await import('../modelCard/recordVersions.ts');
    const versions = await checkVersions(programRoot);
    print(versions, shell);
    refuseChanged(versions);
    const fresh = versions.filter(({ status }) => status === 'new');
    if (fresh.length === 0) return;
    throw refused(`No hash is recorded of ${named(fresh)}.`, 'Record it with `issuer registry record`.');
  });
  shellCommand(registry, shell, {
    name: 'record',
    description: 'record the hashes of new versions, so that a night takes them',
  })
    .addHelpText(
      'after',
      `\nA recorded version never changes: give changed values a new version first;\nconcepts and words take the next version by themselves. Hashes go to\ndata/registry/parameter-versions.json.`,
    )
    .action(async () => {
      const { checkVersions, recordVersions } = await import('../modelCard/recordVersions.ts');
      const versions = await checkVersions(programRoot);
      print(versions, shell);
      refuseChanged(versions);
      await recordVersions({ root: programRoot, versions, files: shell.storeEffects().files });
    });
}

function print(versions: readonly CheckedVersion[], shell: CommandShell): void {
  for (const version of versions) {
    const { part, version: name, status, hash } = version;
    if (shell.json) shell.printJson(version);
    else
      shell.print(`${name.padEnd(16)} ${part.padEnd(17)} ${status.padEnd(8)} sha256 ${hash.slice(0, 12)}\n`);
  }
}

function refuseChanged(versions: readonly CheckedVersion[]): void {
  const changed = versions.filter(({ status }) => status === 'changed');
  if (changed.length === 0) return;
  const files = [...new Set(changed.map(({ file }) => file))].join(' and ');
  throw refused(
    `${named(changed)} in ${files} is not what was recorded under that version.`,
    'Restore the values, or give them a new version there and run `issuer registry record`.',
  );
}

function named(versions: readonly CheckedVersion[]): string {
  return versions.map(({ part, version }) => `${version} (${part})`).join(', ');
}

function refused(message: string, hint: string): IssuerError {
  return new IssuerError({ code: 'validation_failed', message, hint });
}
