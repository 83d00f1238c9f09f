import { resolve } from 'node:path';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type ChartView, chartViews, chartWidths } from '../chart/chartRequest.ts';
import { dataLayout } from '../dataLayout.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer explain`. */
export function mountExplainCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, {
    name: 'explain',
    description: 'walk from an issuer’s ratio back to the filed facts behind it',
  })
    .argument('<issuer>', 'ticker, former ticker or CIK')
    .option('--period <day>', 'balance-sheet date (default: that of the newest slice)')
    .option(
      '--source-date <day>',
      'as the slice of that day or the last before it said (default: the newest)',
    )
    .option('--facilities', 'the loans that coins secure instead: amount, coins, trigger, call price, facts')
    .option(
      '--capital',
      'the capital structure instead: notes and loans, dues, claims, shares, cash, coins, facts',
    )
    .addHelpText(
      'after',
      '\nThe tree goes from the ratio to debt and coins, to each concept that counts, to the fact with its accession ' +
        'number. Below each total stands every step of its ladder and why it was taken or not.\n\nExamples:\n' +
        '  issuer explain MSTR\n  issuer explain FLD --period 2025-09-30 --json\n' +
        '  issuer explain KULR --facilities\n  issuer explain MSTR --capital\n' +
        '  issuer query "select * from debt_resolution where ticker = \'MSTR\'"',
    )
    .action(
      async (
        label: string,
        {
          data,
          period,
          sourceDate,
          facilities,
          capital,
        }: { data: string; period?: string; sourceDate?: string; facilities?: boolean; capital?: boolean },
      ) => {
        const { explainIssuer } = await import('../explain/explainIssuer.ts');
        const text = await explainIssuer({
          databasePath: dataLayout(data).database,
          label,
          period: period ?? null,
          sourceDate: sourceDate ?? null,
          of: capital === true ? 'capital' : facilities === true ? 'facilities' : 'ratio',
          format: shell.json ? 'json' : 'text',
        });
        if (shell.json) shell.printData(text);
        else shell.print(text);
      },
    );
}

type ChartFlags = {
  data: string;
  to?: string;
  width: number;
  theme: 'light' | 'dark';
  text: 'faces' | 'outlines';
  png?: number;
  facility?: string;
  fall: string;
};

/** `issuer chart`. */
export function mountChartCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, {
    name: 'chart',
    description: 'draw a series or a ranking as an SVG that stands alone',
  })
    .addArgument(new Argument('<view>', 'what is drawn').choices(chartViews))
    .argument(
      '[subject]',
      'of history, debt, loan, units, wall, claims, per-share an issuer; of factors a product; of field either',
    )
    .option('--to <file>', 'where the SVG goes, whole or not at all (default: standard output)', fileName)
    .option('--width <px>', `of the picture, ${chartWidths.least} to ${chartWidths.most}`, widthOf, 720)
    .addOption(new Option('--theme <theme>', 'colours').choices(['light', 'dark']).default('light'))
    .addOption(
      new Option('--text <how>', 'as text in embedded faces, or as outlines for viewers that ignore them')
        .choices(['faces', 'outlines'])
        .default('faces'),
    )
    .addOption(
      new Option('--png [scale]', 'as PNG instead, 1 to 3 times its size; needs --to')
        .argParser(scaleOf)
        .preset('1'),
    )
    .option('--facility <id>', 'of an issuer with several loans the one that is drawn')
    .addOption(
      new Option('--fall <percent>', 'of coins, that claims are shown at')
        .choices(['30', '50', '70'])
        .default('50'),
    )
    .addHelpText(
      'after',
      '\nhistory: stress by slice; ladder: the most stressed of the newest slice; debt: debt beside coins by balance-sheet ' +
        'date; loan: loan-to-value against its trigger; units: coins stated in current reports and filed; field: pressure, energy and price of an issuer or a product; factors: those of a ' +
        'perpetual product; pressure: all products; prices: BTC, ETH and SOL; wall: what falls due by year; claims: who is paid after a fall; ' +
        'per-share: coins a thousand shares by balance-sheet date.\nFaces are in the file; title and ' +
        'description say the figures. With --json the figures as a table, one line.\n\nExit codes: 0 drawn; 2 no such ' +
        'view, issuer or product; 3 nothing to draw.\n\nExamples:\n' +
        '  issuer chart history MSTR --to mstr.svg\n' +
        '  issuer chart history MSTR --png 2 --to mstr.png\n' +
        '  issuer chart ladder --width 1200 --theme dark --to ladder.svg\n' +
        '  issuer chart debt MSTR --to mstr-debt.svg\n  issuer chart units MSTR --to mstr-units.svg\n' +
        '  issuer chart claims MSTR --fall 70 --to mstr-claims.svg\n' +
        '  issuer chart field BTC-PERP-INTX --to btc-field.svg\n' +
        '  issuer chart factors BTC-PERP-INTX > factors.svg',
    )
    .action(async (view: ChartView, subject: string | undefined, options: ChartFlags) => {
      const { nameBeside, replaceFile } = await import('../../data/store/files/replaceFile.ts');
      const { drawChart, writePng } = await import('../chart/drawChart.ts');
      const { data, to, width, theme, text, png, facility, fall } = options;
      if (png !== undefined && to === undefined)
        throw new InvalidArgumentError('Name a file for the PNG with --to.');
      const { chart, svg } = await drawChart({
        view,
        layout: dataLayout(data),
        subject: subject ?? null,
        facility: facility ?? null,
        fall: Number(fall) / 100,
        width,
        theme,
        text: png === undefined ? text : 'outlines',
      });
      const bytes = png === undefined ? svg : await writePng(svg, png);
      if (to !== undefined)
        await replaceFile({
          path: resolve(to),
          bytes,
          files: shell.storeEffects().files,
          partial: nameBeside(resolve(to), 'partial'),
        });
      if (shell.json) shell.printJson({ view, finding: chart.finding, desc: chart.desc, ...chart.table });
      else if (to === undefined) shell.printData(svg);
      else shell.print(`${chart.finding}.\n${to}, ${Buffer.byteLength(bytes)} bytes.\n`);
    });
}

function fileName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Name a file.');
  return text;
}

function scaleOf(text: string): number {
  const scale = Number(text);
  if (scale >= 1 && scale <= 3) return scale;
  throw new InvalidArgumentError('A number from 1 to 3.');
}

function widthOf(text: string): number {
  const width = Number(text);
  if (/^\d+$/.test(text) && width >= chartWidths.least && width <= chartWidths.most) return width;
  throw new InvalidArgumentError(`A whole number of px from ${chartWidths.least} to ${chartWidths.most}.`);
}

type BriefFlags = { data: string; html: boolean; pdf: boolean; to?: string; release?: string };

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
    .action(async (label: string, { data, html, pdf, to, release }: BriefFlags) => {
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
