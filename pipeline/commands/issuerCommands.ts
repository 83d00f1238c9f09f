import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { type ChartView, chartViews, chartWidths } from '../chart/chartRequest.ts';
import { dataLayout } from '../dataLayout.ts';
import { namedFile } from '../namedFile.ts';
import { type CommandShell, shellCommand } from './commandShell.ts';

/** `issuer explain`. */
export function mountExplainCommand(program: Command, shell: CommandShell): void {
  shellCommand(program, shell, 'explain')
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
  shellCommand(program, shell, 'chart')
    .addArgument(new Argument('<view>', 'what is drawn').choices(chartViews))
    .argument(
      '[subject]',
      'of history, debt, loan, units, wall, claims, per-share an issuer; of factors a product; of field either',
    )
    .option('--to <file>', 'where the SVG goes, whole or not at all (default: standard output)')
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
    .action(async (view: ChartView, subject: string | undefined, options: ChartFlags) => {
      const { nameBeside, replaceFile } = await import('../../data/store/files/replaceFile.ts');
      const { drawChart, writePng } = await import('../chart/drawChart.ts');
      const { data, to, width, theme, text, png, facility, fall } = options;
      if (png !== undefined && to === undefined)
        throw new InvalidArgumentError('Name a file for the PNG with --to.');
      const path = to === undefined ? null : await namedFile(to, data);
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
      if (path !== null) {
        const { files } = shell.storeEffects();
        await replaceFile({ path, bytes, files, partial: nameBeside(path, 'partial') });
      }
      if (shell.json) shell.printJson({ view, finding: chart.finding, desc: chart.desc, ...chart.table });
      else if (to === undefined) shell.printData(svg);
      else shell.print(`${chart.finding}.\n${to}, ${Buffer.byteLength(bytes)} bytes.\n`);
    });
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
  shellCommand(program, shell, 'brief')
    .argument('<issuer>', 'ticker, former ticker or CIK')
    .option('--html', 'as a page that stands alone (default)', false)
    .option('--pdf', 'as PDF', false)
    .option('--to <file>', 'where it goes, whole or not at all (default: <ticker>-<date> in this directory)')
    .option('--release <name>', 'of a build other than the current one')
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
      const path = await namedFile(to ?? fileName, data);
      const { files } = shell.storeEffects();
      await replaceFile({ path, bytes, files, partial: nameBeside(path, 'partial') });
      if (shell.json) shell.printJson({ file: path, bytes: bytes.length });
      else shell.print(`${path}, ${bytes.length} bytes.\n`);
    });
}
