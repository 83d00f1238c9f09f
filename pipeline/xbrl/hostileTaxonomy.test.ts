import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCalculations } from '../../calculators/calculation/checkCalculations.ts';
import type { XbrlFiling } from '../../calculators/filing/xbrlFiling.ts';
import {
  arc,
  calRef,
  inMemory,
  instance,
  linkbase,
  load,
  locator,
  reasons,
  schema,
  usGaap,
} from '../../fixtures/builders/filingInMemory.ts';
import { loadFiling } from './loadFiling.ts';

const assets = locator('a', `${usGaap}#us-gaap_Assets`);
const cash = locator('b', `${usGaap}#us-gaap_Cash`);
const coins = locator('o', 'own-20250930.xsd#own_Coins');

function filing(cal: string, over: Record<string, string | Uint8Array> = {}) {
  return {
    'own-20250930_htm.xml': instance(
      '<gaap:Assets contextRef="c" unitRef="usd" decimals="0">5</gaap:Assets>',
    ),
    'own-20250930.xsd': schema(calRef),
    'own-20250930_cal.xml': cal,
    ...over,
  };
}

const pairs = ({ arcs }: XbrlFiling): string[] => arcs.map((a) => `${a.from}>${a.to} ${a.weight}`);

describe('calculation arcs', () => {
  it('follow every locator of a label (M1.12)', async () => {
    const more = locator('b', `${usGaap}#us-gaap_Inventory`);
    expect(
      pairs(await load(filing(linkbase(assets + cash + more + coins + arc('a', 'b') + arc('a', 'o'))))),
    ).toEqual([
      'us-gaap:Assets>own:Coins 1',
      'us-gaap:Assets>us-gaap:Cash 1',
      'us-gaap:Assets>us-gaap:Inventory 1',
    ]);
  });

  it.for([
    ['higher priority', [arc('a', 'b'), arc('a', 'b', 'weight="1" use="prohibited" priority="1"')], []],
    ['equal priority', [arc('a', 'b'), arc('a', 'b', 'weight="1.0" use="prohibited"')], []],
    [
      'lower priority',
      [arc('a', 'b', 'weight="1" priority="2"'), arc('a', 'b', 'weight="1" use="prohibited" priority="1"')],
      ['us-gaap:Assets>us-gaap:Cash 1'],
    ],
    [
      'another weight',
      [arc('a', 'b'), arc('a', 'b', 'weight="-1" use="prohibited" priority="9"')],
      ['us-gaap:Assets>us-gaap:Cash 1'],
    ],
    [
      'another order',
      [arc('a', 'b', 'weight="1" order="2"'), arc('a', 'b', 'weight="1" use="prohibited" priority="9"')],
      ['us-gaap:Assets>us-gaap:Cash 1'],
    ],
    [
      'higher priority again allowed',
      [
        arc('a', 'b'),
        arc('a', 'b', 'weight="1" use="prohibited" priority="1"'),
        arc('a', 'b', 'weight="1" priority="2"'),
      ],
      ['us-gaap:Assets>us-gaap:Cash 1'],
    ],
  ] as const)('are prohibited by equivalence and priority: %s', async ([, arcs, expected]) => {
    expect(pairs(await load(filing(linkbase(assets + cash + arcs.join('')))))).toEqual(expected);
    expect(pairs(await load(filing(linkbase(assets + cash + [...arcs].reverse().join('')))))).toEqual(
      expected,
    );
  });

  it('of equal meaning are one, and of different weight two', async () => {
    const twice = arc('a', 'b') + arc('a', 'b', 'weight="1.00" order="3"') + arc('a', 'b', 'weight="-1"');
    const loaded = await load(filing(linkbase(assets + cash + twice)));
    expect(pairs(loaded)).toEqual(['us-gaap:Assets>us-gaap:Cash -1', 'us-gaap:Assets>us-gaap:Cash 1']);
  });

  it('keep odd weights and report them (M1.13), and drop what cannot be read', async () => {
    const arcs = [
      arc('a', 'b', 'weight="0.5"'),
      arc('a', 'o', 'weight="one"'),
      arc('a', 'o', ''),
      arc('a', 'o', 'weight="1" use="maybe"'),
    ];
    const loaded = await load(filing(linkbase(assets + cash + coins + arcs.join(''))));
    expect(pairs(loaded)).toEqual(['us-gaap:Assets>us-gaap:Cash 0.5']);
    expect(reasons(loaded)).toEqual([
      'calculation: 1 arcs with a weight other than +1 or -1: a 0.5',
      'calculation: 3 arcs whose weight, order, priority or use cannot be read: a, …',
    ]);
  });

  it.for([
    ['an unknown element of the own schema', 'own-20250930.xsd#own_Nothing'],
    ['no fragment', usGaap],
    ['a path instead of an id', `${usGaap}#element(/1/14)`],
    ['no prefix', `${usGaap}#Cash`],
  ] as const)('drop locators to %s with a defect', async ([, href]) => {
    const loaded = await load(filing(linkbase(assets + locator('b', href) + arc('a', 'b') + arc('a', 'x'))));
    expect(pairs(loaded)).toEqual([]);
    expect(reasons(loaded)).toEqual([
      'calculation: the filing has no summation-item arc that can be used',
      expect.stringContaining('calculation: 1 locators to unknown concepts: '),
      'calculation: 1 arc ends without a locator: x',
    ]);
  });

  it.for([
    ['a locator', linkbase(assets + locator('b', 'evil.xsd#us-gaap_Cash') + arc('a', 'b'))],
    [
      'a role reference',
      linkbase(assets + cash + arc('a', 'c')).replace(
        '<link:calculationLink',
        '<link:roleRef roleURI="r" xlink:type="simple" xlink:href="aapl-20250927.xsd#r"/><link:calculationLink',
      ),
    ],
  ] as const)('of another filing do not count, which %s tells', async ([, content]) => {
    const loaded = await load(filing(content));
    expect(loaded.arcs).toEqual([]);
    expect(loaded.defects).toContainEqual({
      part: 'calculation',
      reason: expect.stringMatching(
        /^own-20250930_cal\.xml belongs to another filing: it refers to (evil|aapl-20250927)\.xsd$/,
      ),
      state: 'unusable',
    });
  });

  it('find standard concepts by the file name alone and own ones by the element id', async () => {
    const oddId =
      '<xs:element id="x1" name="Coins" type="xbrli:monetaryItemType" substitutionGroup="xbrli:item" xbrli:periodType="instant"/>';
    const loaded = await load(
      filing(
        linkbase(
          locator('a', 'us-gaap-2025.xsd#us-gaap_Assets') +
            locator('o', 'own-20250930.xsd#x1') +
            arc('a', 'o'),
        ),
        { 'own-20250930.xsd': schema(calRef, { elements: oddId }) },
      ),
    );
    expect(pairs(loaded)).toEqual(['us-gaap:Assets>own:Coins 1']);
  });

  it('embedded in the schema and beside it are one set', async () => {
    const embedded = linkbase(assets + cash + arc('a', 'b'));
    const loaded = await load(
      filing(linkbase(assets + coins + arc('a', 'o')), { 'own-20250930.xsd': schema(calRef + embedded) }),
    );
    expect(pairs(loaded)).toEqual(['us-gaap:Assets>own:Coins 1', 'us-gaap:Assets>us-gaap:Cash 1']);
  });

  it('embedded in the schema may point at its elements by a bare fragment', async () => {
    const elements =
      '<xs:element id="x1" name="Coins" type="xbrli:monetaryItemType" substitutionGroup="xbrli:item" xbrli:periodType="instant"/>';
    const embedded = linkbase(
      assets + locator('o', '#x1') + locator('z', '#own_Nothing') + arc('a', 'o') + arc('a', 'z'),
    );
    const loaded = await load({ 'own-20250930.xsd': schema(embedded, { elements }) });
    expect(pairs(loaded)).toEqual(['us-gaap:Assets>own:Coins 1']);
    expect(reasons(loaded)).toContain(
      'calculation: 1 locators to unknown concepts: own-20250930.xsd#own_Nothing',
    );
  });

  it('that multiply beyond fifty thousand relationships are all refused', async () => {
    const many = (label: string): string =>
      Array.from({ length: 1000 }, (_, n) => locator(label, `${usGaap}#us-gaap_${label}${n}`)).join('');
    const loaded = await load(filing(linkbase(many('A') + many('B') + arc('A', 'B'))));
    expect(loaded.arcs).toEqual([]);
    expect(reasons(loaded)).toContain(
      'calculation: the arcs stand for more than 50000 relationships; none is used',
    );
  });

  it('beyond what a filing can have are read up to there alone, in all its files together', async () => {
    const crowd = linkbase(assets + cash + arc('a', 'b').repeat(80_000));
    const loaded = await load(
      filing(crowd, {
        'own-20250930_pre.xml': crowd.replaceAll('calculation', 'presentation'),
        'own-20250930.xsd': schema(
          calRef + calRef.replaceAll('calculation', 'presentation').replaceAll('_cal', '_pre'),
        ),
      }),
    );
    expect(loaded.arcs).toEqual([]);
    const reason = 'is not used: the filing has more than 80000 locators, arcs and labels';
    expect(reasons(loaded)).toContain(`calculation: own-20250930_cal.xml ${reason}`);
    expect(reasons(loaded)).toContain(`presentation: own-20250930_pre.xml ${reason}`);
  });

  it('are the same in whatever order locators and arcs stand', async () => {
    const parts = [
      assets,
      cash,
      coins,
      locator('b', `${usGaap}#us-gaap_Inventory`),
      arc('a', 'b'),
      arc('a', 'o', 'weight="-1" order="2"'),
      arc('a', 'o', 'weight="-1" order="2" use="prohibited" priority="1"'),
      arc('b', 'o', 'weight="1" priority="3"'),
    ];
    const sorted = JSON.stringify(pairs(await load(filing(linkbase(parts.join(''))))));
    expect(JSON.parse(sorted).length).toBe(4);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(parts, { minLength: parts.length }), async (shuffled) => {
        expect(JSON.stringify(pairs(await load(filing(linkbase(shuffled.join(''))))))).toBe(sorted);
      }),
      { numRuns: 50 },
    );
  });

  it('from a crowded label to nowhere cost one look each', async () => {
    const crowd = Array.from({ length: 3000 }, (_, n) => locator('a', `${usGaap}#us-gaap_A${n}`)).join('');
    const loaded = await load(filing(linkbase(crowd + arc('a', 'nowhere').repeat(3000))));
    expect(reasons(loaded)).toContain('calculation: 3000 arc ends without a locator: nowhere, …');
  });

  it('in a circle load as filed and check in bounded time', async () => {
    const loaded = await load(
      filing(linkbase(assets + cash + arc('a', 'b') + arc('b', 'a') + arc('a', 'a'))),
    );
    expect(loaded.arcs.length).toBe(3);
    const checks = checkCalculations({ facts: loaded.facts, arcs: loaded.arcs, mode: '1.1-round' });
    expect(checks.map((check) => check.outcome)).toEqual(['pass']);
  });
});

describe('schemas', () => {
  it('that include each other in a circle are read once each', async () => {
    const include = (file: string): string =>
      schema().replace('<xs:annotation>', `<xs:include schemaLocation="${file}"/><xs:annotation>`);
    const files = inMemory({
      'own_htm.xml': instance('', { schema: 'a.xsd' }),
      'a.xsd': include('b.xsd'),
      'b.xsd': include('a.xsd'),
    });
    await loadFiling({ cik: '1234', accession: 'x', files });
    expect(files.reads).toEqual(['own_htm.xml', 'a.xsd', 'b.xsd']);
  });

  it('that refer to a hundred more stop at 64 documents', async () => {
    const chain: Record<string, string> = { 'own_htm.xml': instance('', { schema: 's0.xsd' }) };
    for (let n = 0; n < 100; n += 1) {
      chain[`s${n}.xsd`] = schema().replace(
        '<xs:annotation>',
        `<xs:include schemaLocation="s${n + 1}.xsd"/><xs:annotation>`,
      );
    }
    const files = inMemory(chain);
    const loaded = await loadFiling({ cik: '1234', accession: 'x', files });
    expect(files.reads.length).toBe(65);
    expect(reasons(loaded)).toContain('schema: more than 64 schemas and linkbases; the rest is not read');
  });

  it('whose types derive from each other in a circle end as not monetary', async () => {
    const elements = `<xs:element id="own_Coins" name="Coins" type="own:a" substitutionGroup="xbrli:item" xbrli:periodType="instant"/>
<xs:complexType name="a"><xs:simpleContent><xs:restriction base="own:b"/></xs:simpleContent></xs:complexType>
<xs:complexType name="b"><xs:simpleContent><xs:restriction base="own:a"/></xs:simpleContent></xs:complexType>`;
    const loaded = await load({ 'own.xsd': schema('', { elements }) });
    expect(loaded.concepts).toMatchObject([{ concept: 'own:Coins', type: 'own:a', isMonetary: false }]);
  });

  it('derive monetary types through named and local types', async () => {
    const elements = `<xs:complexType name="money"><xs:simpleContent><xs:restriction base="xbrli:monetaryItemType"/></xs:simpleContent></xs:complexType>
<xs:element id="own_A" name="A" type="own:money" substitutionGroup="xbrli:item" xbrli:periodType="instant"/>
<xs:element id="own_B" name="B" substitutionGroup="xbrli:item" xbrli:periodType="duration" abstract="true"><xs:complexType><xs:simpleContent><xs:extension base="own:money"/></xs:simpleContent></xs:complexType></xs:element>
<xs:element id="own_T" name="T" substitutionGroup="xbrli:tuple"/><xs:element id="own_D" name="D" type="xs:string"/>`;
    const loaded = await load({ 'own.xsd': schema('', { elements }) });
    expect(loaded.concepts.map((c) => [c.concept, c.type, c.isMonetary, c.periodType, c.isAbstract])).toEqual(
      [
        ['own:A', 'own:money', true, 'instant', false],
        ['own:B', 'own:money', true, 'duration', true],
      ],
    );
  });

  it('carry the standard English label of their concepts, no other', async () => {
    const label = (role: string, language: string, text: string): string =>
      `<link:label xlink:type="resource" xlink:label="l" xlink:role="http://www.xbrl.org/2003/role/${role}" xml:lang="${language}">${text}</link:label>`;
    const labelArc =
      '<link:labelArc xlink:type="arc" xlink:arcrole="http://www.xbrl.org/2003/arcrole/concept-label" xlink:from="o" xlink:to="l"/>';
    const texts =
      label('terseLabel', 'en-US', 'terse') +
      label('label', 'de', 'Muenzen') +
      label('label', 'en-US', ' Coins,\n  at cost ');
    const labels = `<link:linkbase><link:labelLink xlink:type="extended" xlink:role="r">${coins}${texts}${labelArc}</link:labelLink></link:linkbase>`;
    const loaded = await load({ 'own-20250930.xsd': schema(labels) });
    expect(loaded.concepts.map((c) => [c.concept, c.label, c.balance])).toEqual([
      ['own:Coins', 'Coins, at cost', 'debit'],
    ]);
  });

  it("missing leave the arcs, named by EDGAR's id rule, and a defect", async () => {
    const { 'own-20250930.xsd': _, ...files } = filing(linkbase(assets + coins + arc('a', 'o')));
    const loaded = await load(files);
    expect(pairs(loaded)).toEqual(['us-gaap:Assets>own:Coins 1']);
    expect(reasons(loaded)).toEqual([
      'schema: own-20250930.xsd is missing',
      'schema: the filing has no schema that can be used',
    ]);
  });

  it('or linkbases missing or broken are named', async () => {
    const { 'own-20250930_cal.xml': _, ...files } = filing('');
    expect(reasons(await load(files))).toEqual([
      'calculation: own-20250930_cal.xml is missing',
      'calculation: the filing has no summation-item arc that can be used',
    ]);
    expect(reasons(await load(filing('<a/>')))[0]).toBe(
      'calculation: own-20250930_cal.xml is neither a schema nor a linkbase',
    );
    expect(reasons(await load(filing('<a>')))[0]).toContain(
      'own-20250930_cal.xml is not used: it is not well-formed',
    );
  });

  it('of two companies without an instance are not chosen between', async () => {
    const loaded = await load({ 'a.xsd': schema(), 'b.xsd': schema() });
    expect(loaded.concepts).toEqual([]);
    expect(reasons(loaded)).toContain('schema: 2 schemas and no instance that names its own; none is used');
  });
});

describe('an empty folder', () => {
  it('gives an empty filing and says what is missing', async () => {
    expect(await load({ 'R2.htm': '<html>', 'FilingSummary.xml': '<a>' })).toEqual({
      cik: '1234',
      accession: '0000001234-25-000001',
      facts: [],
      arcs: [],
      presentations: [],
      roles: [],
      concepts: [],
      defects: [
        {
          part: 'instance',
          reason: 'the filing has no instance document of this company',
          state: 'incomplete',
        },
        { part: 'schema', reason: 'the filing has no schema that can be used' },
        { part: 'calculation', reason: 'the filing has no summation-item arc that can be used' },
        { part: 'presentation', reason: 'the filing has no parent-child arc that can be used' },
      ],
      cover: { documentType: null, documentPeriodEndDate: null, amendmentFlag: null },
    });
  });
});

describe('any damage to any file', () => {
  it('gives a filing with defects, never an exception', async () => {
    const whole = filing(linkbase(assets + cash + coins + arc('a', 'b') + arc('a', 'o')));
    const damage = fc.record({
      file: fc.constantFrom(...Object.keys(whole)),
      at: fc.nat(3000),
      length: fc.nat(60),
      with: fc.constantFrom('', '<', '>', '"', '&amp;', '<x>', '</link:loc>', '\u0000', 'é', '9'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
        const files: Record<string, string> = { ...(whole as Record<string, string>) };
        for (const d of damages) {
          const text = files[d.file] ?? '';
          const at = d.at % text.length || 0;
          files[d.file] = text.slice(0, at) + d.with + text.slice(at + d.length);
        }
        const loaded = await load(files);
        expect(loaded.facts.length).toBeLessThanOrEqual(1);
        expect(loaded.arcs.length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 300 },
    );
  });
});

it.for([
  ['a balance nobody knows', 'xbrli:monetaryItemType', '1e-300'],
  ['a type that is none', 'xbrli:mo[]netaryItemType', 'debit'],
])('says that an element has %s: its line would drop out without a word', async ([, type, balance]) => {
  const elements = `<xs:element id="own_Coins" name="Coins" type="${type}" substitutionGroup="xbrli:item" xbrli:periodType="instant" xbrli:balance="${balance}"/>`;
  const files = filing(linkbase(assets + coins + arc('a', 'o')), {
    'own-20250930.xsd': schema(calRef, { elements }),
  });
  expect(reasons(await load(files))).toContain(
    'schema: 1 elements with a balance that is not of an amount: own:Coins',
  );
});
