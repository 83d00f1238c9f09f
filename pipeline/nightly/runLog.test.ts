import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Clock, LogEvent } from '../effects.ts';
import { jsonLog, terminalLog } from './runLog.ts';

function stage() {
  let ms = Date.parse('2025-11-14T06:00:00Z');
  const written: string[] = [];
  const clock: Clock = { now: () => new Date(ms), sleep: () => Promise.resolve() };
  return {
    clock,
    written,
    out: { write: (text: string) => void written.push(text) },
    peakMemoryBytes: () => 801_400_000,
    pass: (by: number) => (ms += by),
  };
}

const progress = (done: number): LogEvent => ({
  level: 'info',
  step: 'compute',
  message: '',
  fields: { done, total: 200, unit: 'issuers' },
});

describe('terminalLog', () => {
  it('redraws counted work in place with rate and time left, then clears it for the next line', () => {
    const { written, pass, ...edge } = stage();
    const log = terminalLog({ ...edge, colour: false });
    log(progress(1));
    pass(2000);
    log(progress(100));
    log(progress(101));
    log({ level: 'info', step: 'compute', message: '200 rows', fields: { status: 'done' } });
    expect(written).toEqual([
      '  compute  100 of 200 issuers · 50/s · 2 s left',
      '\r\u001b[2K✓ compute  200 rows, at most 801 MB of memory\n',
    ]);
  });

  it('counts bytes of a download like anything else', () => {
    const { written, pass, ...edge } = stage();
    const log = terminalLog({ ...edge, colour: false });
    const fields = (bytes: number) => ({ bytes, size: 2_000_000_000, url: 'https://sec.example/a.zip' });
    log({ level: 'info', step: 'fetch', message: '0 %', fields: fields(0) });
    pass(10_000);
    log({ level: 'info', step: 'fetch', message: '25 %', fields: fields(500_000_000) });
    expect(written).toEqual(['  fetch    500,000 of 2,000,000 kB · 50,000/s · 30 s left']);
  });

  it('marks what was skipped, warned of and failed', () => {
    const { written, ...edge } = stage();
    const log = terminalLog({ ...edge, colour: false });
    log({ level: 'info', step: 'ingest', message: 'unchanged', fields: { status: 'skipped' } });
    log({ level: 'warn', step: 'ingest', message: 'quarantined' });
    log({ level: 'error', step: 'publish', message: 'full disk' });
    expect(written.map((text) => text[0])).toEqual(['·', '!', '✗']);
  });
});

describe('jsonLog', () => {
  it('writes one object a line and progress at most every five seconds', () => {
    const { written, pass, ...edge } = stage();
    const log = jsonLog(edge);
    for (let done = 1; done <= 200; done += 1) {
      log(progress(done));
      pass(60);
    }
    const lines = written.map((text) => JSON.parse(text));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({
      at: '2025-11-14T06:00:05.040Z',
      step: 'compute',
      done: 85,
      level: 'info',
    });
  });

  it('says of a step that is done how much memory the run has held at most', () => {
    const { written, pass: _, ...edge } = stage();
    const log = jsonLog(edge);
    log({ level: 'info', step: 'ingest', message: 'read', fields: { status: 'done' } });
    log({ level: 'info', step: 'compute', message: 'unchanged', fields: { status: 'skipped' } });
    expect(written.map((text) => JSON.parse(text).peak_memory_bytes)).toEqual([801_400_000, undefined]);
  });
});

/** A program that holds 400 MB when it starts another one, and prints what that one says of itself. */
const holder = (child: string) => `
const held = Buffer.alloc(400_000_000, 1);
const { execFileSync } = require('node:child_process');
process.stdout.write(execFileSync(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(child)}]));
if (held[1] !== 1) process.exit(1);`;

describe('peakMemoryBytes', () => {
  it('does not count what the process held that started this one', () => {
    const child = `
      import { peakMemoryBytes } from ${JSON.stringify(new URL('../effects.ts', import.meta.url).href)};
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
