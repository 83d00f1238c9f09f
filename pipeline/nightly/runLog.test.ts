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
    const { clock, out, written, pass } = stage();
    const log = terminalLog({ clock, out, colour: false });
    log(progress(1));
    pass(2000);
    log(progress(100));
    log(progress(101));
    log({ level: 'info', step: 'compute', message: '200 rows', fields: { status: 'done' } });
    expect(written).toEqual([
      '  compute  100 of 200 issuers · 50/s · 2 s left',
      '\r\u001b[2K✓ compute  200 rows\n',
    ]);
  });

  it('marks what was skipped, warned of and failed', () => {
    const { clock, out, written } = stage();
    const log = terminalLog({ clock, out, colour: false });
    log({ level: 'info', step: 'ingest', message: 'unchanged', fields: { status: 'skipped' } });
    log({ level: 'warn', step: 'ingest', message: 'quarantined' });
    log({ level: 'error', step: 'publish', message: 'full disk' });
    expect(written.map((text) => text[0])).toEqual(['·', '!', '✗']);
  });
});

describe('jsonLog', () => {
  it('writes one object a line and progress at most every five seconds', () => {
    const { clock, out, written, pass } = stage();
    const log = jsonLog({ clock, out });
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
});
