import { resolve } from 'node:path';
import type { Command } from 'commander';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { dataLayout } from '../dataLayout.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

type Options = { data: string; html: boolean; pdf: boolean; to?: string; release?: string };

/** `issuer brief`. */
export function mountBriefCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, { name: 'brief', description: 'write the page of one issuer, HTML or PDF' })
    .argument('<issuer>', 'ticker, former ticker or CIK')
    .option('--html', 'as a page that stands alone (default)', false)
    .option('--pdf', 'as PDF', false)
    .option('--to <file>', 'where it goes, whole or not at all (default: <ticker>-<date> in this directory)')
    .option('--release <name>', 'of a build other than the current one')
    .addHelpText(
      'after',
      '\nVerdict and its reason, debt and coins, ratios as coins fall, margin calls, what was reported since, rank, the ' +
        'filings behind it: the page a customer gets from /v1/company-report.\n\nExit codes: 0 written; 2 no such ' +
        'issuer; 3 no page of it.\n\nExamples:\n  issuer brief MSTR\n  issuer brief MSTR --pdf --to mstr.pdf',
    )
    .action(async (label: string, { data, html, pdf, to, release }: Options) => {
      if (html && pdf)
        throw new IssuerError({
          code: 'usage',
          message: 'A page is asked for as HTML and as PDF.',
          hint: 'Ask twice, once with --html and once with --pdf.',
        });
      const { issuerPage } = await import('../explain/issuerPage.ts');
      const { nameBeside, replaceFile } = await import('../../data/store/files/replaceFile.ts');
      const layout = dataLayout(data);
      const { bytes, fileName } = await issuerPage({ layout, label, format: pdf ? 'pdf' : 'html', release });
      const path = resolve(to ?? fileName);
      const { files } = shell.storeEffects();
      await replaceFile({ path, bytes, files, partial: nameBeside(path, 'partial') });
      if (shell.json) shell.printJson({ file: path, bytes: bytes.length });
      else shell.print(`${path}, ${bytes.length} bytes.\n`);
    });
}
