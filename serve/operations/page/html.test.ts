import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownBytes, shownCount, shownDuration, shownUsd } from './figures.ts';
import { escapeText, html } from './html.ts';

describe('markup of the operations page', () => {
  it('escapes what is put in, and keeps markup it made itself', () => {
    const cell = html`<td title="${'"><b>'}">${'<script>alert(1)</script>'}</td>`;
    expect(html`<tr>${[cell, cell]}</tr>`.markup).toBe(
      `<tr>${'<td title="&quot;&gt;&lt;b&gt;">&lt;script&gt;alert(1)&lt;/script&gt;</td>'.repeat(2)}</tr>`,
    );
    expect(html`<p>${null}${0}</p>`.markup).toBe('<p>0</p>');
  });

  it('no text opens a tag, ends an attribute, or turns the reading direction', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const escaped = escapeText(text);
        expect(escaped).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)|[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
      }),
    );
  });

  it('text without markup reads as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abc XYZ0189äé漢字–…$') }), (text) => {
        expect(escapeText(text)).toBe(text);
      }),
    );
  });
});

describe('figures of the operations page', () => {
  it.each([
    [0, '$0.00'],
    [100_000, '$0.10'],
    [1, '$0.000001'],
    [1_234_567_890, '$1,234.56789'],
    [-40_000, '-$0.04'],
    [-1_500_000, '-$1.50'],
  ])('%i micro-USD is %s', (micro, shown) => {
    expect(shownUsd(micro)).toBe(shown);
  });

  it.each([
    [999, '0 s'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h'],
    [90_061_000, '1 d 1 h'],
    [-5, '0 s'],
  ])('%i ms is %s', (ms, shown) => {
    expect(shownDuration(ms)).toBe(shown);
  });

  it('counts have groups and bytes have units', () => {
    expect(shownCount(1_234_567)).toBe('1,234,567');
    expect(shownBytes(512)).toBe('512 B');
    expect(shownBytes(3 * 1024 ** 3 + 512 * 1024 ** 2)).toBe('3.5 GiB');
  });
});
