import { describe, expect, it } from 'vitest';
import { prefersHtml } from './contentNegotiation.ts';

describe('a page or JSON, by Accept', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['application/json', false],
    ['text/html', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', true],
    ['text/*, application/*;q=0.5', true],
    ['text/html, application/json', false],
    ['text/html;q=0.4, application/json;q=0.5', false],
    ['text/html;q=0, */*', false],
    ['TEXT/HTML; Q=0.9, */*;q=0.1', true],
    ['text/html;q=2, application/json', false],
    ['text/html;level=1;q=0.7, application/json;q=0.2', true],
    [',,;q=1,text/html', true],
  ])('%s', (field, page) => {
    expect(prefersHtml(field)).toBe(page);
  });
});
