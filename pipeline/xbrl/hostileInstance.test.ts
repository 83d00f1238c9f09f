import { describe, expect, it } from 'vitest';
import type { XbrlFiling } from '../../calculators/filing/xbrlFiling.ts';
import {
  calRef,
  context,
  instance,
  linkbase,
  load,
  reasons,
  schema,
} from '../../fixtures/builders/filingInMemory.ts';

const values = ({ facts }: XbrlFiling): string[] => facts.map((f) => `${f.concept} ${f.value} ${f.unit}`);

describe('facts that cannot be placed are dropped, counted and never guessed', () => {
  const one = (attributes: string, value = '5'): string =>
    `<gaap:Cash contextRef="c" unitRef="usd" ${attributes}>${value}</gaap:Cash>`;

  it.for([
    [
      'an unknown context',
      '<gaap:Cash contextRef="x" unitRef="usd" decimals="0">5</gaap:Cash>',
      'facts with an unknown context',
    ],
    [
      'an unknown unit',
      '<gaap:Cash contextRef="c" unitRef="x" decimals="0">5</gaap:Cash>',
      'facts with an unknown unit',
    ],
    ['no decimals', one(''), 'facts whose decimals cannot be read'],
    ['decimals and precision', one('decimals="0" precision="3"'), 'facts whose decimals cannot be read'],
    ['decimals beyond reason', one('decimals="2147483647"'), 'facts whose decimals cannot be read'],
    ['decimals in words', one('decimals="many"'), 'facts whose decimals cannot be read'],
    ['precision 0', one('precision="0"'), 'facts of precision 0, which states no digit'],
    ['a grouped number', one('decimals="0"', '1,234'), 'facts whose value is no decimal'],
    ['NaN', one('decimals="0"', 'NaN'), 'facts whose value is no decimal'],
    ['INF as value', one('decimals="0"', 'INF'), 'facts whose value is no decimal'],
    [
      'a number of a million digits',
      one('decimals="0"', '9'.repeat(1_000_000)),
      'facts whose value is no decimal',
    ],
    ['an exponent that fills memory', one('decimals="0"', '1e9999'), 'facts whose value is no decimal'],
    ['a child element', one('decimals="0"', '5<gaap:x/>'), 'facts whose value is no decimal'],
    [
      'a tuple around',
      `<own:Tuple>${one('decimals="0"')}</own:Tuple>`,
      'facts inside tuples, which EDGAR does not have',
    ],
  ] as const)('%s', async ([, fact, kind]) => {
    const loaded = await load({ 'own-20250930_htm.xml': instance(fact), 'own-20250930.xsd': schema() });
    expect(loaded.facts).toEqual([]);
    expect(reasons(loaded)).toContain(`instance: 1 ${kind}: us-gaap:Cash`);
  });

  it("takes INF, precision, exponents and EDGAR's trailing zeros exactly", async () => {
    const facts = [
      one('decimals="INF"', '0.30'),
      one('precision="4"', '12340'),
      one('precision="INF"', '+7.00'),
      one('decimals="-6"', ' 6000000000.0 '),
      one('decimals="0"', '-3E2'),
      one('precision="2"', '0'),
    ];
    const loaded = await load({ 'own-20250930_htm.xml': instance(facts.join('')) });
    expect(loaded.facts.map((f) => `${f.value} ${f.decimals}`)).toEqual([
      '0.3 INF',
      '12340 -1',
      '7 INF',
      '6000000000 -6',
      '-300 0',
      '0 INF',
    ]);
  });

  it('keeps nil as reported without an amount, with decimals or not (M1.9)', async () => {
    const nil = `${one('xsi:nil="true" decimals="0"', '')}${one('xsi:nil="1"', '')}${one('xsi:nil="false" decimals="0"')}`;
    const loaded = await load({ 'own-20250930_htm.xml': instance(nil) });
    expect(loaded.facts.map((f) => [String(f.value), f.decimals])).toEqual([
      ['null', null],
      ['null', null],
      ['5', 0],
    ]);
  });

  it('counts ten thousand broken facts in one line', async () => {
    const broken = Array.from(
      { length: 10_000 },
      (_, n) => `<own:F${n} contextRef="x" unitRef="usd" decimals="0">1</own:F${n}>`,
    );
    const loaded = await load({
      'own-20250930_htm.xml': instance(broken.join('')),
      'own-20250930.xsd': schema(calRef),
      'own-20250930_cal.xml': linkbase(''),
    });
    expect(reasons(loaded)).toEqual([
      'instance: 10000 facts with an unknown context: own:F0, own:F1, own:F2, …',
      'calculation: the filing has no summation-item arc that can be used',
    ]);
  });
});

describe('contexts', () => {
  async function placed(contexts: string) {
    const fact = '<gaap:Cash contextRef="c" unitRef="usd" decimals="0">5</gaap:Cash>';
    const loaded = await load({
      'own-20250930_htm.xml': instance(fact, { contexts }),
      'own-20250930.xsd': schema(),
    });
    return loaded;
  }

  it.for([
    ['forever', context('c', { period: '<forever/>' }), 'facts in contexts without an end (forever)'],
    [
      'a day that is not',
      context('c', { period: '<instant>2025-02-29</instant>' }),
      'facts in contexts whose period is no whole days',
    ],
    [
      'an instant at noon',
      context('c', { period: '<instant>2025-09-30T12:00:00</instant>' }),
      'facts in contexts whose period is no whole days',
    ],
    [
      'a start after the end',
      context('c', { period: '<startDate>2025-09-30</startDate><endDate>2025-01-01</endDate>' }),
      'facts in contexts that start after their end',
    ],
    [
      'one id for two periods',
      `${context('c')}${context('c', { period: '<instant>2024-12-31</instant>' })}`,
      'facts in contexts of one id that differ',
    ],
    [
      'two instants',
      context('c', { period: '<instant>2025-09-30</instant><instant>2025-09-30</instant>' }),
      'facts in contexts that state their instant twice',
    ],
    [
      'two periods, one of them empty',
      context('c', { period: '</period><period><instant>2025-09-30</instant>' }),
      'facts in contexts that state their period twice',
    ],
    [
      'a dimension twice',
      context('c', {
        segment:
          '<xbrldi:explicitMember dimension="gaap:A">gaap:M</xbrldi:explicitMember><xbrldi:explicitMember dimension="gaap:A">gaap:N</xbrldi:explicitMember>',
      }),
      'facts in contexts that state a dimension twice',
    ],
    [
      'a hundred dimensions',
      context('c', {
        segment: Array.from(
          { length: 100 },
          (_, n) => `<xbrldi:explicitMember dimension="gaap:A${n}">gaap:M</xbrldi:explicitMember>`,
        ).join(''),
      }),
      'facts in contexts with more than 64 dimensions',
    ],
    [
      'an unbound member',
      context('c', { segment: '<xbrldi:explicitMember dimension="gaap:A">nope:M</xbrldi:explicitMember>' }),
      'facts in contexts with a member of an unknown namespace',
    ],
  ] as const)('with %s place no fact', async ([, contexts, kind]) => {
    const loaded = await placed(contexts);
    expect(loaded.facts).toEqual([]);
    expect(reasons(loaded)).toContain(`instance: 1 ${kind}: us-gaap:Cash`);
  });

  it('of the same content under one id are one', async () => {
    expect((await placed(`${context('c')}${context('c')}`)).facts.length).toBe(1);
  });

  it('read midnight at the start of a day as the end of the day before (XBRL 2.1 §4.7.2)', async () => {
    const loaded = await placed(
      context('c', {
        period: '<startDate>2025-01-01T00:00:00</startDate><endDate>2025-10-01T00:00:00</endDate>',
      }),
    );
    expect(loaded.facts.map(({ start, end }) => [start, end])).toEqual([['2025-01-01', '2025-09-30']]);
  });

  it('keep explicit, typed and undeclared segment content, so none passes for the whole entity (M1.7)', async () => {
    const loaded = await placed(
      context('c', {
        segment:
          '<xbrldi:typedMember dimension="own:DateAxis"><own:day>2026-01-01</own:day></xbrldi:typedMember><xbrldi:explicitMember dimension="gaap:A">own:M</xbrldi:explicitMember><own:region>EU</own:region>',
      }),
    );
    expect(loaded.facts[0]?.dimensions).toEqual([
      { axis: 'own:DateAxis', member: '2026-01-01', typed: true },
      { axis: 'own:region', member: 'EU', typed: true },
      { axis: 'us-gaap:A', member: 'own:M', typed: false },
    ]);
  });

  it('of another entity inside the instance lose their facts', async () => {
    const contexts = `${context('c')}${context('d', { cik: '0000009999' })}`;
    const facts = ['c', 'd'].map(
      (id) => `<gaap:Cash contextRef="${id}" unitRef="usd" decimals="0">5</gaap:Cash>`,
    );
    const loaded = await load({ 'own-20250930_htm.xml': instance(facts.join(''), { contexts }) });
    expect(loaded.facts.length).toBe(1);
    expect(reasons(loaded)).toContain('instance: 1 facts of another entity: us-gaap:Cash');
  });
});

describe('units', () => {
  async function unitOf(unit: string): Promise<string> {
    const fact = '<gaap:Cash contextRef="c" unitRef="u" decimals="0">5</gaap:Cash>';
    const loaded = await load({ 'own-20250930_htm.xml': instance(`<unit id="u">${unit}</unit>${fact}`) });
    return loaded.facts[0]?.unit ?? reasons(loaded).find((reason) => reason.includes('unit')) ?? '';
  }

  it.for([
    ['<measure>iso4217:USD</measure>', 'USD'],
    ['<measure>shares</measure>', 'shares'],
    ['<measure>own:InfiniBand</measure>', 'InfiniBand'],
    [
      '<divide><unitNumerator><measure>iso4217:USD</measure></unitNumerator><unitDenominator><measure>shares</measure></unitDenominator></divide>',
      'USD/shares',
    ],
    ['<measure>own:Z</measure><measure>own:A</measure>', 'A*Z'],
    // what looks like dollars or shares but is the filer's own stays visibly so
    ['<measure>own:USD</measure>', 'own:USD'],
    ['<measure>own:shares</measure>', 'own:shares'],
    ['<measure>USD</measure>', 'xbrli:USD'],
    ['<measure>nope:USD</measure>', 'instance: 1 facts whose unit cannot be read: us-gaap:Cash'],
    ['', 'instance: 1 facts whose unit cannot be read: us-gaap:Cash'],
  ] as const)('%s is %s', async ([unit, expected]) => {
    expect(await unitOf(unit)).toBe(expected);
  });
});

describe('which instance', () => {
  const fact = '<gaap:Assets contextRef="c" unitRef="usd" decimals="0">5</gaap:Assets>';

  it('of another company gives no fact, alone or beside the right one', async () => {
    const other = instance(fact.repeat(3), { contexts: context('c', { cik: '0000009999' }) });
    const alone = await load({ 'other_htm.xml': other });
    expect(alone.facts).toEqual([]);
    expect(reasons(alone)).toContain(
      'instance: other_htm.xml is an instance of CIK 0000009999, not of CIK 1234',
    );
    const both = await load({ 'other_htm.xml': other, 'own_htm.xml': instance(fact) });
    expect(values(both)).toEqual(['us-gaap:Assets 5 USD']);
  });

  it('is the one with most facts when a filing has several, and says so', async () => {
    const loaded = await load({ 'ex107_htm.xml': instance(fact), 'own_htm.xml': instance(fact.repeat(2)) });
    expect(loaded.facts.length).toBe(2);
    expect(reasons(loaded)).toContain('instance: 1 further instances not used: ex107_htm.xml');
  });

  it.for([
    ['cut in the middle', instance(fact).slice(0, 700)],
    ['with a document type', `<!DOCTYPE xbrl [<!ENTITY x "5">]>${instance(fact).replace(/^<\?xml.*\n/, '')}`],
    ['nested a thousand deep', instance('<own:t>'.repeat(1000) + '</own:t>'.repeat(1000))],
    [
      'with an attribute of a megabyte',
      instance(fact).replace('id="c"', `id="c" x="${'y'.repeat(1_000_000)}"`),
    ],
    ['of another encoding than it says', Buffer.from(instance(fact.replace('>5<', '>\u00e9<')), 'latin1')],
    ['of random bytes', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41])],
    ['empty', ''],
  ] as const)('%s is refused with a reason', async ([, bytes]) => {
    const loaded = await load({ 'own_htm.xml': bytes, 'own-20250930.xsd': schema() });
    expect(loaded.facts).toEqual([]);
    expect(reasons(loaded).some((reason) => reason.startsWith('instance: own_htm.xml is not used: '))).toBe(
      true,
    );
  });

  it('never lets an own namespace pass for us-gaap', async () => {
    const loaded = await load({
      'own_htm.xml': instance(
        '<us-gaap:Assets contextRef="c" unitRef="usd" decimals="0">9</us-gaap:Assets>',
        {
          ownPrefix: 'us-gaap',
        },
      ),
    });
    expect(values(loaded)).toEqual(['us-gaap.2:Assets 9 USD']);
  });

  it('numbers namespaces that all claim one prefix', async () => {
    const claims = Array.from(
      { length: 2000 },
      (_, n) => `<p:F xmlns:p="http://n${n}.example" contextRef="c" unitRef="usd" decimals="0">1</p:F>`,
    );
    const loaded = await load({ 'own_htm.xml': instance(claims.join('')) });
    expect(loaded.facts.slice(0, 3).map((f) => f.concept)).toEqual(['p:F', 'p.2:F', 'p.3:F']);
    expect(new Set(loaded.facts.map((f) => f.concept)).size).toBe(2000);
  });

  it('passes over footnotes and text blocks', async () => {
    const texts = `<gaap:PolicyTextBlock contextRef="c">&lt;p&gt;1&lt;/p&gt;</gaap:PolicyTextBlock>
<link:footnoteLink xlink:type="extended" xlink:role="r"><link:footnote xlink:type="resource" xlink:label="f">1</link:footnote></link:footnoteLink>`;
    const loaded = await load({ 'own_htm.xml': instance(texts + fact) });
    expect(values(loaded)).toEqual(['us-gaap:Assets 5 USD']);
    expect(loaded.defects.filter((defect) => defect.part === 'instance')).toEqual([]);
  });

  it('reads standard namespaces under whatever prefix, dated versions alike', async () => {
    expect(values(await load({ 'own_htm.xml': instance(fact) }))).toEqual(['us-gaap:Assets 5 USD']);
  });
});

describe('terms that are no numbers (M18.11)', () => {
  const terms = async (facts: string) =>
    ((await load({ 'own-20250930.xml': instance(facts) })).terms ?? []).map(
      ({ concept, value, end }) => `${concept} ${value} ${end}`,
    );

  it('are dates, durations and short texts of debt, warrants and splits', async () => {
    const facts = `<gaap:DebtInstrumentMaturityDate contextRef="c"> 2030-07-01\n</gaap:DebtInstrumentMaturityDate>
<gaap:DebtInstrumentTerm contextRef="c">P5Y</gaap:DebtInstrumentTerm>
<own:DebtInstrumentMaturityYearMonth contextRef="c">2027-06</own:DebtInstrumentMaturityYearMonth>
<gaap:StockholdersEquityReverseStockSplit contextRef="c">1-for-\n 20</gaap:StockholdersEquityReverseStockSplit>
<dei:Security12bTitle xmlns:dei="http://xbrl.sec.gov/dei/2024" contextRef="c">American depositary shares, each representing ten ordinary shares</dei:Security12bTitle>`;
    expect(await terms(facts)).toEqual([
      'us-gaap:DebtInstrumentMaturityDate 2030-07-01 2025-09-30',
      'us-gaap:DebtInstrumentTerm P5Y 2025-09-30',
      'own:DebtInstrumentMaturityYearMonth 2027-06 2025-09-30',
      'us-gaap:StockholdersEquityReverseStockSplit 1-for- 20 2025-09-30',
      'dei:Security12bTitle American depositary shares, each representing ten ordinary shares 2025-09-30',
    ]);
  });

  it.each([
    [
      'prose',
      `<gaap:DebtInstrumentPaymentTerms contextRef="c">${'so '.repeat(100)}</gaap:DebtInstrumentPaymentTerms>`,
    ],
    ['an empty text', '<gaap:DebtInstrumentMaturityDate contextRef="c"> </gaap:DebtInstrumentMaturityDate>'],
    ['markup', '<gaap:DebtInstrumentTerm contextRef="c"><b>P5Y</b></gaap:DebtInstrumentTerm>'],
    ['nil', '<gaap:DebtInstrumentMaturityDate contextRef="c" xsi:nil="true"/>'],
    [
      'an unknown context',
      '<gaap:DebtInstrumentMaturityDate contextRef="x">2030-07-01</gaap:DebtInstrumentMaturityDate>',
    ],
    ['terms of leases', '<gaap:LeaseExpirationDate1 contextRef="c">2030-07-01</gaap:LeaseExpirationDate1>'],
    [
      'a text block',
      '<gaap:DebtInstrumentRedemptionTableTextBlock contextRef="c">x</gaap:DebtInstrumentRedemptionTableTextBlock>',
    ],
  ])('leave out %s', async (_, fact) => {
    expect(await terms(fact)).toEqual([]);
  });

  it('are 2,000 at most, of whatever length', async () => {
    const one = '<gaap:DebtInstrumentTerm contextRef="c">P5Y</gaap:DebtInstrumentTerm>';
    const long = `<gaap:DebtInstrumentPaymentTerms contextRef="c">${'so '.repeat(400_000)}</gaap:DebtInstrumentPaymentTerms>`;
    expect(await terms(long + one.repeat(2500))).toHaveLength(2000);
  });
});

describe('lines of the face that a filing names for an amount (M1.20b)', () => {
  const list = (value: string, more = 'contextRef="c"') =>
    `<own:Debt contextRef="c" unitRef="usd" decimals="0">9</own:Debt>
<gaap:FinanceLeaseLiabilityCurrentStatementOfFinancialPositionExtensibleList ${more}>${value}</gaap:FinanceLeaseLiabilityCurrentStatementOfFinancialPositionExtensibleList>`;
  const named = async (...given: Parameters<typeof list>) =>
    (await load({ 'own-20250930.xml': instance(list(...given)) })).namedLines;

  it('are read by their namespace, standard and own', async () => {
    const value =
      'http://fasb.org/us-gaap/2024#DebtCurrent us-gaap:OtherLiabilities http://own.example/20250930#Debt';
    expect(await named(value)).toEqual([
      {
        concept: 'us-gaap:FinanceLeaseLiabilityCurrent',
        end: '2025-09-30',
        lines: ['us-gaap:DebtCurrent', 'us-gaap:OtherLiabilities', 'own:Debt'],
      },
    ]);
  });

  it.each([
    ['nothing', ''],
    ['words', 'Other liabilities, current'],
    ['a namespace that is met nowhere', 'http://other.example/2025#Debt'],
    ['a list without an end', 'http://fasb.org/us-gaap/2024#DebtCurrent '.repeat(100_000)],
  ])('are none where the value is %s', async (_, value) => {
    expect(await named(value)).toBeUndefined();
  });

  it('are none in a context that is not there', async () => {
    expect(await named('http://fasb.org/us-gaap/2024#DebtCurrent', 'contextRef="x"')).toBeUndefined();
  });
});
