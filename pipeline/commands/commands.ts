import type { Command } from 'commander';
import { mountBackfillCommand } from './backfillCommand.ts';
import { mountBacktestCommand } from './backtestCommand.ts';
import { mountBriefCommand } from './briefCommand.ts';
import { mountChartCommand } from './chartCommand.ts';
import type { CommandShell } from './commandShell.ts';
import { mountCurrentReportsCommand } from './currentReportsCommand.ts';
import { mountDoctorCommand } from './doctorCommand.ts';
import { mountExplainCommand } from './explainCommand.ts';
import { mountExportCommand } from './exportCommand.ts';
import { mountNightlyCommand } from './nightlyCommand.ts';
import { mountQueryCommand } from './queryCommand.ts';
import { mountRecordCommand } from './recordCommand.ts';
import { mountRegistryCommands } from './registryCommands.ts';
import { mountReleaseCommands } from './releaseCommands.ts';
import { mountSnapshotCommand } from './snapshotCommand.ts';

/** Every command, in the order of the help; each declares its options here and imports its work when it runs. */
export function mountCommands(program: Command, shell: CommandShell): void {
  mountNightlyCommand(program, shell);
  mountBackfillCommand(program, shell);
  mountSnapshotCommand(program, shell);
  mountQueryCommand(program, shell);
  mountExplainCommand(program, shell);
  mountExportCommand(program, shell);
  mountChartCommand(program, shell);
  mountBriefCommand(program, shell);
  mountBacktestCommand(program, shell);
  mountRecordCommand(program, shell);
  mountCurrentReportsCommand(program, shell);
  mountReleaseCommands(program, shell);
  mountRegistryCommands(program, shell);
  mountDoctorCommand(program, shell);
}
