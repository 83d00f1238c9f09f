import { describe, expect, it } from 'vitest';
import { printable, printableLines } from './printable.ts';

describe('printable', () => {
  it('shows what a terminal would act on as its escape: controls, C1, bidirectional marks, separators, tags', () => {
    expect(printable('a\u001b[2Jb\u009b31m')).toBe('a\\u001b[2Jb\\u009b31m');
    expect(printable('user\u202efdp.exe\u2066\u2028\t\r\n\u0000')).toBe(
      'user\\u202efdp.exe\\u2066\\u2028\\u0009\\u000d\\u000a\\u0000',
    );
    expect(printable('x\u{e0041}')).toBe('x\\u{e0041}');
  });

  it('leaves letters of every script, punctuation and pictures alone', () => {
    const text = 'Société – Ünïted ✓ ├─ 株式会社 £€ 😀';
    expect(printable(text)).toBe(text);
  });

  it('keeps the line ends of a text of several lines', () => {
    expect(printableLines('a\r\n\u001b]0;x\u0007\nb\rc\n')).toBe('a\r\n\\u001b]0;x\\u0007\nb\\u000dc\n');
  });
});
