import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

/** A program that holds 400 MB when it starts another one, and prints what that one says of itself. */
const holder = (child: string) => `
const held = Buffer.alloc(400_000_000, 1);
const { execFileSync } = require('node:child_process');
process.stdout.write(execFileSync(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(child)}]));
if (held[1] !== 1) process.exit(1);`;

describe('peakMemoryBytes', () => {
  it('does not count what the process held that started this one', () => {
    const child = `
      import { peakMemoryBytes } from ${JSON.stringify(new URL('./effects.ts', import.meta.url).href)};
      const before = peakMemoryBytes();
      const held = Buffer.alloc(100_000_000, 1);
      process.stdout.write(JSON.stringify([before, peakMemoryBytes() - before, held[1]]));`;
    const said: unknown = JSON.parse(
      execFileSync(process.execPath, ['-e', holder(child)], { encoding: 'utf8' }),
    );
    const [before = Number.NaN, grown = Number.NaN] = said as number[];
    expect(before).toBeGreaterThan(20_000_000);
    expect(before).toBeLessThan(300_000_000);
    expect(grown).toBeGreaterThan(90_000_000);
    expect(grown).toBeLessThan(200_000_000);
  });
});
