import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeText, html } from './html.ts';

describe('markup of a page', () => {
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
