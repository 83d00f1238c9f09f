import type { Command } from 'commander';
import type { CommandShell } from './commandShell.ts';

type Mount = (program: Command, shell: CommandShell) => void;

/** Every command with what loads it, in the order of the help; a command costs the imports of its own work alone. */
const commands: Readonly<Record<string, () => Promise<Mount>>> = {
  nightly: async () => (await import('./nightlyCommand.ts')).mountNightlyCommand,
  backfill: async () => (await import('./backfillCommand.ts')).mountBackfillCommand,
  snapshot: async () => (await import('./snapshotCommand.ts')).mountSnapshotCommand,
  query: async () => (await import('./queryCommand.ts')).mountQueryCommand,
  explain: async () => (await import('./explainCommand.ts')).mountExplainCommand,
  export: async () => (await import('./exportCommand.ts')).mountExportCommand,
  chart: async () => (await import('./chartCommand.ts')).mountChartCommand,
  backtest: async () => (await import('./backtestCommand.ts')).mountBacktestCommand,
  release: async () => (await import('./releaseCommands.ts')).mountReleaseCommands,
  registry: async () => (await import('./registryCommands.ts')).mountRegistryCommands,
  doctor: async () => (await import('./doctorCommand.ts')).mountDoctorCommand,
};

/** The command that the first word of a command line names; all of them for help, completion and a misspelt word. */
export async function mountCommands(
  program: Command,
  { shell, asked }: { readonly shell: CommandShell; readonly asked: string | undefined },
): Promise<void> {
  const one = asked !== undefined && Object.hasOwn(commands, asked) ? commands[asked] : undefined;
  for (const load of one === undefined ? Object.values(commands) : [one]) (await load())(program, shell);
}
