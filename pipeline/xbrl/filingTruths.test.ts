import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { filesOfFolder, filesOfInstance, filesOfZip } from './filingFolder.ts';
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

/** Figures per filing: numeric facts, effective arcs, roles with arcs, own items; counted with the script below. */
const filings: Record<
  string,
  { facts: number; arcs: number; roles: number; concepts: number; missing: string[] }
> = {
  '1318605/000162828024032662': { facts: 1044, arcs: 121, roles: 14, concepts: 82, missing: [] },
  '1784970/000121390025041307': { facts: 375, arcs: 54, roles: 7, concepts: 56, missing: [] },
  '2078856/000119312525311400': { facts: 84, arcs: 11, roles: 3, concepts: 26, missing: [] },
  '320193/000119312510238044': { facts: 1291, arcs: 147, roles: 20, concepts: 235, missing: [] },
  '320193/000032019323000106': { facts: 995, arcs: 215, roles: 25, concepts: 79, missing: [] },
  '320193/000032019325000057': { facts: 674, arcs: 106, roles: 9, concepts: 40, missing: [] },
  '1065280/000119312510036181': { facts: 359, arcs: 83, roles: 4, concepts: 17, missing: [] },
  '1065280/000106528024000287': { facts: 1068, arcs: 103, roles: 14, concepts: 54, missing: [] },
  '34088/000003408823000020': { facts: 0, arcs: 180, roles: 24, concepts: 258, missing: ['instance'] },
  '789019/000095017024087843': { facts: 0, arcs: 214, roles: 29, concepts: 139, missing: ['instance'] },
};

type Counted = {
  facts: number;
  nil: number;
  contexts: number;
  units: number;
  arcs: Record<string, number>;
  sums: Record<string, string>;
};

// the same counts by another parser, written without this product's rules for anything but duplicates
const countScript = `
import sys, json, glob, os, gzip
from decimal import Decimal
import xml.etree.ElementTree as ET
X = '{http://www.w3.org/1999/xlink}'
L = '{http://www.xbrl.org/2003/linkbase}'
I = '{http://www.xbrl.org/2003/instance}'
path = sys.argv[1]
files = sorted(glob.glob(os.path.join(path, '*'))) if os.path.isdir(path) else [path]
out = dict(facts=0, nil=0, contexts=0, units=0, arcs={}, sums={})
seen = set()
for f in files:
    if not f.endswith(('.xml', '.xsd', '.xml.gz')) or f.endswith(('_def.xml', '_lab.xml', '_pre.xml', 'FilingSummary.xml')):
        continue
    root = ET.parse(gzip.open(f) if f.endswith('.gz') else f).getroot()
    if root.tag == I + 'xbrl':
        context_of, unit_of = {}, {}
        for c in root.iter(I + 'context'): out['contexts'] += 1
        for u in root.iter(I + 'unit'): out['units'] += 1
        for e in root:
            if e.get('unitRef') is None: continue
            out['facts'] += 1
            if e.get('{http://www.w3.org/2001/XMLSchema-instance}nil') == 'true': out['nil'] += 1
            else:
                k = e.tag.split('}')[1]
                out['sums'][k] = str(Decimal(out['sums'].get(k, '0')) + Decimal(e.text.strip()))
    for link in root.iter(L + 'calculationLink'):
        role = link.get(X + 'role')
        locs = {}
        for loc in link.iter(L + 'loc'):
            locs.setdefault(loc.get(X + 'label'), []).append(loc.get(X + 'href').split('#')[1])
        for arc in link.iter(L + 'calculationArc'):
            assert arc.get('use') != 'prohibited'
            for a in locs[arc.get(X + 'from')]:
                for b in locs[arc.get(X + 'to')]:
                    key = (role, a, b, Decimal(arc.get('weight')))
                    if key in seen: continue
                    seen.add(key)
                    out['arcs'][role] = out['arcs'].get(role, 0) + 1
print(json.dumps(out))
`;

function countedBy(path: string): Counted {
  const args = ['-c', countScript, path];
  return JSON.parse(execFileSync('python3', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
}

function byRole(arcs: readonly { role: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { role } of arcs) counts[role] = (counts[role] ?? 0) + 1;
  return counts;
}

function sumsOf(facts: Awaited<ReturnType<typeof loadFiling>>['facts']): Map<string, string> {
  const sums = new Map<string, (typeof facts)[number]['value']>();
  for (const { concept, value } of facts) {
    const local = concept.slice(concept.indexOf(':') + 1);
    if (value !== null) sums.set(local, sums.get(local)?.plus(value) ?? value);
  }
  return new Map([...sums].map(([local, sum]) => [local, String(sum)]));
}

describe('filing packages as published', () => {
  it.for(Object.entries(filings))(
    '%s has the facts and arcs another parser counts',
    async ([path, expected], ctx) => {
      if (!existsSync(`${edgar}filings/${path}`))
        ctx.skip(`no filing package at ../shared/data/edgar/filings/${path}`);
      const [cik = '', accession = ''] = path.split('/');
      const files = filesOfFolder(`${edgar}filings/${path}`);
      const filing = await loadFiling({ cik, accession, files });
      const roles = byRole(filing.arcs);
      expect({
        facts: filing.facts.length,
        arcs: filing.arcs.length,
        roles: Object.keys(roles).length,
        concepts: filing.concepts.length,
        missing: filing.defects.map((defect) => defect.part),
      }).toEqual(expected);
      if (!python) ctx.skip('no python3 to count with');
      const counted = countedBy(`${edgar}filings/${path}`);
      expect(filing.facts.length).toBe(counted.facts);
      expect(filing.facts.filter((fact) => fact.value === null).length).toBe(counted.nil);
      expect(roles).toEqual(counted.arcs);
      expect(sumsOf(filing.facts).size).toBe(Object.keys(counted.sums).length);
      for (const [local, sum] of sumsOf(filing.facts))
        expect(Number(sum), local).toBe(Number(counted.sums[local]));
    },
  );

  it('gives Calculations 1.1 arcs where the schema embeds them (MSFT FY2024, PURR) and 1.0 elsewhere', async (ctx) => {
    if (!existsSync(`${edgar}filings`)) ctx.skip('no filing packages at ../shared/data/edgar/filings');
    const versions: Record<string, string[]> = {};
    for (const path of Object.keys(filings)) {
      const [cik = '', accession = ''] = path.split('/');
      const filing = await loadFiling({ cik, accession, files: filesOfFolder(`${edgar}filings/${path}`) });
      for (const { version } of filing.arcs) {
        versions[version] ??= [];
        if (!versions[version].includes(cik)) versions[version].push(cik);
      }
    }
    expect(versions['1.1']?.sort()).toEqual(['2078856', '789019']);
  });

  it('reads the linkbases inside an EDGAR zip and says that the instance is not there', async (ctx) => {
    const path = `${edgar}filings/2078856/000119312525311400/0001193125-25-311400-xbrl.zip`;
    if (!existsSync(path)) ctx.skip(`no archive at ${path}`);
    const filing = await loadFiling({
      cik: '2078856',
      accession: '0001193125-25-311400',
      files: filesOfZip(path),
    });
    expect(filing.arcs.length).toBe(11);
    expect(filing.facts).toEqual([]);
    expect(filing.defects).toEqual([
      {
        part: 'instance',
        reason: 'the filing has no instance document of this company',
        state: 'incomplete',
      },
    ]);
  });

  it('reads face lines of TSLA 2024-06-30 (0001628280-24-032662) with unit, decimals and period', async (ctx) => {
    const path = `${edgar}filings/1318605/000162828024032662`;
    if (!existsSync(path)) ctx.skip(`no filing package at ${path}`);
    const filing = await loadFiling({
      cik: '0001318605',
      accession: '0001628280-24-032662',
      files: filesOfFolder(path),
    });
    const assets = filing.facts.filter(
      (fact) =>
        fact.concept === 'us-gaap:Assets' && fact.dimensions.length === 0 && fact.end === '2024-06-30',
    );
    expect(
      assets.map(({ unit, decimals, start, value }) => ({ unit, decimals, start, value: String(value) })),
    ).toEqual([{ unit: 'USD', decimals: -6, start: null, value: '112832000000' }]);
    const balance = filing.arcs.filter(
      (arc) => arc.role === 'http://www.tesla.com/role/ConsolidatedBalanceSheets',
    );
    expect(balance.filter((arc) => arc.from === 'us-gaap:Liabilities').map((arc) => arc.to)).toEqual([
      'us-gaap:LiabilitiesCurrent',
      'us-gaap:ContractWithCustomerLiabilityNoncurrent',
      'tsla:LongTermDebtAndFinanceLeasesNoncurrent',
      'us-gaap:OtherLiabilitiesNoncurrent',
    ]);
    const role = filing.roles.find((candidate) => candidate.uri.endsWith('/ConsolidatedBalanceSheets'));
    expect(role?.definition).toBe('0000002 - Statement - Consolidated Balance Sheets');
    expect(filing.cover).toEqual({
      documentType: '10-Q',
      documentPeriodEndDate: '2024-06-30',
      amendmentFlag: false,
    });
  });
});

describe('extracted instances of crypto issuers', () => {
  // the index counts nil facts beside the numeric ones: the facts are the sum of both
  it('hold exactly the numeric and nil facts that their index states', async (ctx) => {
    const index = `${edgar}instances/index.csv`;
    if (!existsSync(index)) ctx.skip('no instance index at ../shared/data/edgar/instances');
    const rows = readFileSync(index, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.match(/("[^"]*"|[^,]*)(,|$)/g)?.map((cell) => cell.replace(/,$/, '')) ?? []);
    const differences: string[] = [];
    for (const cells of rows) {
      const [file = '', cik = '', , , , , accession = ''] = cells;
      const filing = await loadFiling({
        cik,
        accession,
        files: filesOfInstance(`${edgar}instances/${file}`),
      });
      const nil = filing.facts.filter((fact) => fact.value === null).length;
      const dropped = filing.defects.filter((defect) => defect.part === 'instance');
      if (
        filing.facts.length !== Number(cells[13]) + nil ||
        nil !== Number(cells[14]) ||
        dropped.length > 0
      ) {
        differences.push(
          `${file}: ${filing.facts.length}/${nil} of ${cells[13]}/${cells[14]} ${JSON.stringify(dropped)}`,
        );
      }
    }
    expect(rows.length).toBe(74);
    expect(differences).toEqual([]);
  });
});
