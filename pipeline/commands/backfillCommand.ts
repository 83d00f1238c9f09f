import type { Command } from 'commander';
import type { BackfilledDate } from '../backfill/backfill.ts';
import { dataLayout } from '../dataLayout.ts';
import type { Log } from '../effects.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer backfill`. */
export function mountBackfillCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, {
    name: 'backfill',
    description: 'publish past dates from the warehouse, each from what was known on it',
  })
    .requiredOption('--from <day>', 'the first date, YYYY-MM-DD')
    .requiredOption('--to <day>', 'the last date; before the date of the current release')
    .option('--every <dates>', 'day, month-end, or dates separated by commas', 'day')
    .option('--as-of <instant>', 'published as computed_at_utc; the same one gives the same bytes')
    .option('--force', 'publish dates whose inputs are unchanged, too', false)
    .addHelpText(
      'after',
      '\nA date uses facts filed and filings accepted by then and closes up to then, nothing newer. Its release holds row ' +
        'stores only and never becomes current; at the end the current release is built again, so that its histories ' +
        'hold the new dates. Run again, it goes on where it stopped.\n\nExample:\n' +
        '  issuer backfill --from 2020-01-01 --to 2025-12-30 --every month-end',
    )
    .action(
      async ({
        data,
        from,
        to,
        every,
        asOf,
        force,
      }: {
        data: string;
        from: string;
        to: string;
        every: string;
        asOf?: string;
        force: boolean;
      }) => {
        const { backfilledJson, backfilledText, outcomeJson, outcomeText } = await import(
          '../backfill/backfillText.ts'
        );
        const { runBackfill } = await import('../backfill/runBackfill.ts');
        const { codeVersion } = await import('../nightly/codeVersion.ts');
        const { withPublishing } = await import('../stores/withPublishing.ts');
        const effects = shell.storeEffects();
        const quiet: Log = (event) => {
          if (event.level !== 'info') effects.log(event);
        };
        const options = {
          data,
          from,
          to,
          every,
          force,
          asOf: asOf ?? null,
          code: await codeVersion(),
          signal: shell.signal,
          onDate: (done: BackfilledDate) =>
            shell.json ? shell.printJson(backfilledJson(done)) : shell.print(backfilledText(done)),
        };
        const { environment, signal } = shell;
        const outcome = await withPublishing({ layout: dataLayout(data), environment, effects, signal }, () =>
          runBackfill(options, { ...effects, log: quiet }),
        );
        if (shell.json) shell.printJson(outcomeJson(outcome));
        else shell.print(outcomeText(outcome));
      },
    );
}
