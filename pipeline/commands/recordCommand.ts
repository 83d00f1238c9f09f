import type { Command } from 'commander';
import { dataLayout } from '../dataLayout.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer record`. */
export function mountRecordCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, {
    name: 'record',
    description: 'what was published as proven beside what the next filing shows for the same date',
  })
    .addHelpText(
      'after',
      '\nPrints a document from view record, which every night and backfill extends; nothing is written. Confirmed says that ' +
        'the facts did not change and the comparatives add up, not that the concepts were right.\n\nExamples:\n' +
        '  issuer record > RECORD.md\n  issuer record --json | jq .lines[0]',
    )
    .action(async ({ data }: { data: string }) => {
      const { readRecord, recordDocument } = await import('../record/recordDocument.ts');
      const record = await readRecord(dataLayout(data).database);
      if (shell.json) shell.printJson(record);
      else shell.print(recordDocument(record));
    });
}
