import { describe, expect, it } from 'vitest';
import {
  arc,
  calRef,
  instance,
  linkbase,
  load,
  locator,
  schema,
  usGaap,
} from '../../fixtures/builders/filingInMemory.ts';

const links = linkbase(
  locator('a', `${usGaap}#us-gaap_Assets`) + locator('b', `${usGaap}#us-gaap_Cash`) + arc('a', 'b'),
);
const embedded = links.replace(/ xmlns:\w+="[^"]*"/g, '');

/** A filing of one arc, beside its schema. */
const beside = (over: Readonly<Record<string, string>> = {}) => ({
  'own-20250930_htm.xml': instance('<gaap:Assets contextRef="c" unitRef="usd" decimals="0">5</gaap:Assets>'),
  'own-20250930.xsd': schema(calRef),
  'own-20250930_cal.xml': links,
  ...over,
});
/** The same with the arc embedded in the schema. */
const within = (change: (text: string) => string = (text) => text) => {
  const { 'own-20250930_cal.xml': _, ...files } = beside();
  return { ...files, 'own-20250930.xsd': change(schema(embedded)) };
};
const unusable = async (files: Readonly<Record<string, string>>) =>
  (await load(files)).defects
    .filter(({ state }) => state === 'unusable')
    .map(({ part, reason }) => `${part}: ${reason}`);

// what a damaged document no longer says must not pass for something the filer never said (M1.44c)

describe('a schema or linkbase that lost what it said', () => {
  it('is told from one that is whole', async () => {
    for (const files of [beside(), within()]) {
      expect(await unusable(files)).toEqual([]);
      expect((await load(files)).arcs).toHaveLength(1);
    }
  });

  it.for([
    ['an arc', 'xlink:type="arc"', 'calculationArc b'],
    ['a locator', 'xlink:type="locator"', 'loc a'],
  ] as const)('by the type of %s', async ([, type, part]) => {
    const reason = `calculation: 1 parts of a link that are none: ${part}`;
    expect(
      await unusable(beside({ 'own-20250930_cal.xml': links.replace(type, 'xlink:type="0"') })),
    ).toContain(reason);
    expect(await unusable(within((text) => text.replace(type, 'xlink:type="0"')))).toContain(reason);
  });

  it('by the name of an arc', async () => {
    const renamed = links.replace('link:calculationArc', 'link:presentationArc');
    expect(await unusable(beside({ 'own-20250930_cal.xml': renamed }))).toEqual([
      'calculation: 1 parts of a link that are none: presentationArc b',
    ]);
  });

  it('by text that stands where an arc was', async () => {
    const cut = links.replace(/<link:calculationArc /, '');
    expect(cut).not.toBe(links);
    expect(await unusable(beside({ 'own-20250930_cal.xml': cut }))).toEqual([
      expect.stringMatching(/^calculation: 1 parts of a link that are none: \w/),
    ]);
    const documented = links.replace(
      '</link:calculationLink>',
      '<link:documentation>text</link:documentation></link:calculationLink>',
    );
    expect(await unusable(beside({ 'own-20250930_cal.xml': documented }))).toEqual([]);
  });

  it.for([
    ['linkbases', 'http://www.xbrl.org/2003/linkbase', 'the schemas neither name nor embed a linkbase'],
    ['schemas', 'http://www.w3.org/2001/XMLSchema', 'own-20250930.xsd is a linkbase and no schema'],
  ] as const)('by the namespace of %s', async ([, namespace, reason]) => {
    expect(await unusable(within((text) => text.replace(namespace, 'x')))).toContain(`schema: ${reason}`);
  });

  it('by the reference to a linkbase', async () => {
    const pre = '<link:linkbase xmlns:link="http://www.xbrl.org/2003/linkbase"/>';
    expect(await unusable(beside({ 'own-20250930_pre.xml': pre }))).toEqual([
      'schema: nothing names own-20250930_pre.xml, which is at hand',
    ]);
    // a file of another filing in the folder is none of this one's references
    expect(await unusable(beside({ 'aapl-20250927_pre.xml': pre }))).toEqual([]);
  });
});
