import { describe, expect, it } from 'vitest';
import { fitColumns } from './terminal.ts';

describe('text for people', () => {
  it('goes on below where the text of its line begins', () => {
    const words = Array.from({ length: 12 }, (_, i) => `figure-${i}`).join(' ');
    expect(fitColumns(`  Figures       NVDA       ${words}\nshort`).split('\n')).toEqual([
      '  Figures       NVDA       figure-0 figure-1 figure-2 figure-3 figure-4 figure-5',
      '                           figure-6 figure-7 figure-8 figure-9 figure-10',
      '                           figure-11',
      'short',
    ]);
  });

  it('keeps a command one command for the shell', () => {
    const command = `  Next          npx issuer query "${'select ticker '.repeat(6)}from stress"`;
    const lines = fitColumns(command).split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/ \\$/);
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    const asShell = lines.join('\n').replaceAll('\\\n', '').replace(/ +/g, ' ');
    expect(asShell).toBe(command.replace(/ +/g, ' '));
  });

  it('leaves a row of a table whole', () => {
    const row = `  ${'route'.padEnd(50)}answers    quoted   charged  refunded  from grants`;
    expect(fitColumns(row)).toBe(row);
  });

  it('leaves a word whole that is longer by itself, and a line that fits as it is', () => {
    const path = `/srv/${'a'.repeat(90)}`;
    expect(fitColumns(`  Artifacts     ${path}`)).toBe(`  Artifacts     ${path}`);
    expect(fitColumns('a  b   c')).toBe('a  b   c');
  });
});
