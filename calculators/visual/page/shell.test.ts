import { describe, expect, it } from 'vitest';
import { html } from './html.ts';
import { type Page, shell } from './shell.ts';

const page: Page = {
  title: 'Debt & coins',
  description: 'One sentence.',
  skip: 'Skip to the figures',
  header: html`<p>Issuer Intelligence</p>\n`,
  main: html`<h1>${'<b>Three</b> issuers'}</h1>\n`,
  footer: html`<p>Not advice.</p>\n`,
  styles: '.own{color:red}',
};

describe('a page', () => {
  it('has one file, three landmarks, a skip link to the main part, and its language', () => {
    const written = shell(page);
    expect(written).toMatch(/^<!DOCTYPE html>\n<html lang="en">\n/);
    for (const part of ['<header>', '<main id="main" tabindex="-1">', '<footer>', '<h1>'])
      expect(written.split(part)).toHaveLength(2);
    expect(written).toContain('<a class="skip" href="#main">Skip to the figures</a>');
    expect(written).toContain('<title>Debt &amp; coins</title>');
    expect(written).toContain('&lt;b&gt;Three&lt;/b&gt; issuers');
    expect(written).toMatch(/\.own\{color:red\}<\/style>/);
  });

  it('asks for nothing and runs nothing', () => {
    const addresses = [...shell(page).matchAll(/(?:href|src|url)[=(]"?([^")]{1,20})/g)].map(([, to]) => to);
    expect([...new Set(addresses.map((to) => to?.replace(/^(data:|#).*/s, '$1')))]).toEqual(['data:', '#']);
    expect(shell(page)).not.toMatch(/<script|@import| on[a-z]+=/i);
  });

  it('carries two weights of the subsets its text needs, and no others', () => {
    const faces = (text: string) =>
      shell({ ...page, main: html`<h1>${text}</h1>` }).match(/@font-face/g)?.length ?? 0;
    expect(faces('Three issuers')).toBe(2);
    expect(faces('Trzej emitenci: Żółw')).toBe(4);
    expect(faces('Żółw, Ωμέγα')).toBe(6);
  });

  it('of a company names faces of the reader instead, as wide as ours (V53a)', () => {
    const written = shell({ ...page, faces: 'local' });
    expect(written).not.toContain('url(');
    expect(written).toMatch(
      /@font-face\{font-family:"II Sans";font-weight:400;src:local\("Arial"\),.*?;size-adjust:103%;ascent-override:99.5%;/,
    );
    expect(written).toMatch(/font-weight:600;src:local\("Arial Bold"\)/);
    expect(shell(page).length - written.length).toBeGreaterThan(60_000);
  });
});
