import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';

describe('the log', () => {
  const logged = (write: (log: ReturnType<typeof createLog>) => void): string => {
    const lines: string[] = [];
    write(createLog({ sink: { write: (line) => void lines.push(line) }, level: 'info' }));
    return lines.join('');
  };
  const key = `iik_${'A'.repeat(10)}_${'b'.repeat(43)}`;

  it('replaces keys and tokens even inside error texts, and stays JSON (P6.7, S16)', () => {
    const line = logged((log) =>
      log.error({ err: new Error(`bad ${key}`), note: 'ii1.aaa.bbb', more: 1 }, key),
    );
    expect(line).not.toContain('b'.repeat(43));
    expect(line).not.toContain('aaa.bbb');
    expect(JSON.parse(line)).toMatchObject({ note: 'ii1.redacted', more: 1, msg: 'apikey:AAAAAAAAAA' });
  });

  it('replaces a cut key and every key of a line, and leaves other text alone (P6.7)', () => {
    const line = logged((log) =>
      log.info(
        { twice: `${key}, ${key}`, cut: 'iik_AAAAABBBBB_x', other: 'iik_AAAAABBBBB is gone, ii://x' },
        'x',
      ),
    );
    expect(JSON.parse(line)).toMatchObject({
      twice: 'apikey:AAAAAAAAAA apikey:AAAAAAAAAA',
      cut: 'apikey:AAAAABBBBB',
      other: 'iik_AAAAABBBBB is gone, ii://x',
    });
  });

  it('never writes a control character raw (S17)', () => {
    const line = logged((log) => log.info({ path: '\u001b[31m\r\n\u0000\u007f\u009b\u2028' }, 'x'));
    expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
    expect(JSON.parse(line).path).toBe('\u001b[31m\r\n\u0000\u007f\u009b\u2028');
  });
});
