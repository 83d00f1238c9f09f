import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { readHtml, registryWords, reportContext } from '../../fixtures/rigs/reportBlocks.ts';

type Layout = { readonly kind: string; readonly html: string; readonly states: string };

const path = new URL('../../fixtures/tables/current-reports/layouts.csv', import.meta.url);
const layouts = parse<Layout>(readFileSync(path, 'utf8'), { columns: true });
const context = reportContext(registryWords());

// each a document of its own, so that no refusal of one hides what another states
describe('a made-up layout', () => {
  it.each([...Map.groupBy(layouts, ({ kind }) => kind)])('of %s states what it says and no more', (_, of) => {
    const read = of.map(({ html }) => [html, readHtml(html, context).stated.join('; ')]);
    expect(read).toEqual(of.map(({ html, states }) => [html, states]));
  });
});
