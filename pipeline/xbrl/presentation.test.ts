import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { load, locator, reasons, schema, usGaap } from '../../fixtures/builders/filingInMemory.ts';
import { filesOfFolder } from './filingFolder.ts';
import { loadFiling } from './loadFiling.ts';

const edgar = fileURLToPath(new URL('../../../shared/data/edgar/', import.meta.url));
const python = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Roles and shown concepts of TSLA, NXTT, PURR, AAPL (FY2010, FY2023, 2025) and MSFT, counted with the script below. */
const filings: Record<string, { roles: number; concepts: number }> = {
  '1318605/000162828024032662': { roles: 68, concepts: 709 },
  '1784970/000121390025041307': { roles: 63, concepts: 434 },
  '2078856/000119312525311400': { roles: 20, concepts: 211 },
  '320193/000119312510238044': { roles: 66, concepts: 977 },
  '320193/000032019323000106': { roles: 78, concepts: 840 },
  '320193/000032019325000057': { roles: 46, concepts: 528 },
  '789019/000095017024087843': { roles: 119, concepts: 1209 },
};

// the same walk by another parser, recursively
const walkScript = `
import sys, json, glob, os
from decimal import Decimal
import xml.etree.ElementTree as ET
X = '{http://www.w3.org/1999/xlink}'
L = '{http://www.xbrl.org/2003/linkbase}'
arcs = {}
for f in sorted(glob.glob(os.path.join(sys.argv[1], '*'))):
    if not f.endswith(('_pre.xml', '.xsd')): continue
    for link in ET.parse(f).getroot().iter(L + 'presentationLink'):
        locs = {}
        for loc in link.iter(L + 'loc'):
            name = loc.get(X + 'href').split('#')[1].replace('_', ':', 1)
            locs.setdefault(loc.get(X + 'label'), []).append(name)
        for arc in link.iter(L + 'presentationArc'):
            assert arc.get('use') != 'prohibited'
            for a in locs[arc.get(X + 'from')]:
                for b in locs[arc.get(X + 'to')]:
                    arcs.setdefault(link.get(X + 'role'), []).append((Decimal(arc.get('order', '1')), b, a))
out = {}
for role, own in arcs.items():
    below, shown = {}, []
    for order, b, a in sorted(own): below.setdefault(a, []).append(b)
    def show(concept):
        if concept in shown: return
        shown.append(concept)
        for child in below.get(concept, []): show(child)
    for top in sorted(set(below) - {b for _, b, _ in own}): show(top)
    out[role] = shown
print(json.dumps(out))
`;

describe('presentations as published', () => {
  it.for(Object.entries(filings))(
    '%s shows the concepts another parser finds, in its order',
    async ([path, expected], ctx) => {
      const folder = `${edgar}filings/${path}`;
      if (!existsSync(folder)) ctx.skip(`no filing package at ../shared/data/edgar/filings/${path}`);
      const [cik = '', accession = ''] = path.split('/');
      const filing = await loadFiling({ cik, accession, files: filesOfFolder(folder) });
      expect({
        roles: filing.presentations.length,
        concepts: filing.presentations.reduce((sum, { concepts }) => sum + concepts.length, 0),
      }).toEqual(expected);
      expect(filing.defects.filter((defect) => defect.part === 'presentation')).toEqual([]);
      if (!python) ctx.skip('no python3 to walk with');
      const walked: Record<string, string[]> = JSON.parse(
        execFileSync('python3', ['-c', walkScript, folder], {
          encoding: 'utf8',
          maxBuffer: 64 * 1024 * 1024,
        }),
      );
      expect(Object.fromEntries(filing.presentations.map(({ role, concepts }) => [role, concepts]))).toEqual(
        walked,
      );
    },
  );
});

const PARENT_CHILD = 'http://www.xbrl.org/2003/arcrole/parent-child';
const shows = (from: string, to: string, rest: string) =>
  `<link:presentationArc xlink:type="arc" xlink:arcrole="${PARENT_CHILD}" xlink:from="${from}" xlink:to="${to}" ${rest}/>`;
const link = (content: string, role = 'r') =>
  `<link:presentationLink xlink:type="extended" xlink:role="${role}">${content}</link:presentationLink>`;
const document = (content: string) =>
  `<link:linkbase xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink">${content}</link:linkbase>`;
const preRef =
  '<link:linkbaseRef xlink:type="simple" xlink:href="own-20250930_pre.xml" xlink:role="http://www.xbrl.org/2003/role/presentationLinkbaseRef" xlink:arcrole="http://www.w3.org/1999/xlink/properties/linkbase"/>';
const locators = ['Face', 'Assets', 'Cash', 'Other', 'Liabilities']
  .map((name) => locator(name, `${usGaap}#us-gaap_${name}`))
  .join('');
const local = (concepts: readonly string[] | undefined) =>
  concepts?.map((concept) => concept.replace('us-gaap:', ''));

/** Loads a schema and its presentation linkbase. */
function loadShown(content: string) {
  return load({ 'own-20250930.xsd': schema(preRef), 'own-20250930_pre.xml': document(link(content)) });
}

const noArc = {
  part: 'presentation',
  reason: 'the filing has no parent-child arc that can be used',
} as const;

describe('a presentation linkbase', () => {
  it('gives each concept once, a parent before what is below it, children by order', async () => {
    const filing = await loadShown(
      locators +
        shows('Face', 'Liabilities', 'order="10"') +
        shows('Face', 'Assets', 'order="9"') +
        shows('Assets', 'Other', 'order="2.5"') +
        shows('Assets', 'Cash', 'order="2" preferredLabel="http://www.xbrl.org/2003/role/periodStartLabel"') +
        shows('Assets', 'Cash', 'order="3" preferredLabel="http://www.xbrl.org/2003/role/periodEndLabel"'),
    );
    expect(filing.presentations.map(({ role }) => role)).toEqual(['r']);
    expect(local(filing.presentations[0]?.concepts)).toEqual([
      'Face',
      'Assets',
      'Cash',
      'Other',
      'Liabilities',
    ]);
    expect(filing.arcs).toEqual([]);
    expect(reasons(filing).filter((text) => text.startsWith('presentation'))).toEqual([]);
  });

  it('is read inside the schema, and without a schema by its name', async () => {
    const shown = locators + shows('Face', 'Assets', 'order="1"');
    const embedded = await load({
      'own-20250930.xsd': schema(document(link(shown))),
    });
    expect(local(embedded.presentations[0]?.concepts)).toEqual(['Face', 'Assets']);
    const bare = await load({
      'own-20250930_cal.xml': document(''),
      'own-20250930_pre.xml': document(link(shown)),
    });
    expect(local(bare.presentations[0]?.concepts)).toEqual(['Face', 'Assets']);
  });

  it('leaves out what is prohibited at the highest priority (XBRL 2.1 §3.5.3.9.7)', async () => {
    const filing = await loadShown(
      locators +
        shows('Face', 'Assets', 'order="1"') +
        shows('Face', 'Cash', 'order="2"') +
        shows('Face', 'Cash', 'order="2" use="prohibited" priority="1"') +
        shows('Face', 'Other', 'order="3" use="prohibited"') +
        shows('Face', 'Other', 'order="3" priority="2"'),
    );
    expect(local(filing.presentations[0]?.concepts)).toEqual(['Face', 'Assets', 'Other']);
  });

  it('ends on a cycle, a chain of thirty thousand headings and a parent of as many children', async () => {
    const n = 30_000;
    const own = Array.from({ length: n }, (_, i) => locator(`e${i}`, `${usGaap}#us-gaap_E${i}`)).join('');
    const chain = Array.from({ length: n - 1 }, (_, i) => shows(`e${i}`, `e${i + 1}`, '')).join('');
    expect((await loadShown(own + chain)).presentations[0]?.concepts).toHaveLength(n);
    const star = Array.from({ length: n - 1 }, (_, i) => shows('e0', `e${i + 1}`, '')).join('');
    expect((await loadShown(own + star)).presentations[0]?.concepts).toHaveLength(n);
    const cycle = await loadShown(
      locators + shows('Face', 'Assets', '') + shows('Cash', 'Other', '') + shows('Other', 'Cash', ''),
    );
    expect(local(cycle.presentations[0]?.concepts)).toEqual(['Face', 'Assets', 'Cash', 'Other']);
  });

  it('is named when it is missing, broken or points nowhere, and costs nothing else', async () => {
    const shown = async (files: Record<string, string>) => {
      const filing = await load({ 'own-20250930.xsd': schema(preRef), ...files });
      expect(filing.presentations).toEqual([]);
      expect(filing.concepts.map(({ concept }) => concept)).toEqual(['own:Coins']);
      return filing.defects.filter(({ part }) => part === 'presentation');
    };
    const because = (reason: string, state: string) => [{ part: 'presentation', reason, state }, noArc];
    expect(await shown({})).toEqual(because('own-20250930_pre.xml is missing', 'incomplete'));
    expect(await shown({ 'own-20250930_pre.xml': '<a/>' })).toEqual(
      because('own-20250930_pre.xml is neither a schema nor a linkbase', 'unusable'),
    );
    const pointless = document(
      link(
        locator('a', 'own-20250930.xsd#own_Nothing') +
          locator('b', `${usGaap}#us-gaap_Assets`) +
          shows('a', 'b', ''),
      ),
    );
    expect(await shown({ 'own-20250930_pre.xml': pointless })).toEqual([
      noArc,
      {
        part: 'presentation',
        reason: '1 locators to unknown concepts: own-20250930.xsd#own_Nothing',
        state: 'unusable',
      },
    ]);
    const unreadable = document(
      link(locators + shows('Face', 'Assets', 'order="x"') + shows('Face', 'Gone', '')),
    );
    expect(await shown({ 'own-20250930_pre.xml': unreadable })).toEqual([
      noArc,
      {
        part: 'presentation',
        reason: '1 arcs whose order, priority or use cannot be read: Face',
        state: 'unusable',
      },
      { part: 'presentation', reason: '1 arc ends without a locator: Gone', state: 'unusable' },
    ]);
  });
});
