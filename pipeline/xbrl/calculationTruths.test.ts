import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CalculationCheck, CalculationMode } from '../../calculators/calculation/calculationVerdicts.ts';
import { checkCalculations } from '../../calculators/calculation/checkCalculations.ts';
import { filesOfFolder } from './filingFolder.ts';
import { loadFiling } from './loadFiling.ts';

const filings = fileURLToPath(new URL('../../../shared/data/edgar/filings', import.meta.url));

async function checksOf(path: string, mode: CalculationMode): Promise<readonly CalculationCheck[]> {
  const [cik = '', accession = ''] = path.split('/');
  const { facts, arcs } = await loadFiling({ cik, accession, files: filesOfFolder(`${filings}/${path}`) });
  return checkCalculations({ facts, arcs, mode });
}

function tally(checks: readonly CalculationCheck[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of checks) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

function wholeEntity(
  checks: readonly CalculationCheck[],
  { concept, end, role }: { concept: string; end: string; role: string },
) {
  const found = checks.filter(
    (check) =>
      check.concept === concept &&
      check.end === end &&
      check.dimensions.length === 0 &&
      check.role.endsWith(`/${role}`),
  );
  const [check] = found;
  if (found.length !== 1 || check === undefined) throw new Error(`${found.length} checks of ${concept}`);
  return check;
}

function shown(check: CalculationCheck) {
  if (check.outcome !== 'pass' && check.outcome !== 'fail') return check.outcome;
  const range = ({ low, high }: { low: unknown; high: unknown }): string => `${low}..${high}`;
  return { outcome: check.outcome, total: range(check.total), sum: range(check.sum) };
}

// the same rules (M1.17, M1.18) written a second time, over another parser and Python decimals
const countScript = `
import sys, json, glob, os
from decimal import Decimal
import xml.etree.ElementTree as ET
X = '{http://www.w3.org/1999/xlink}'
L = '{http://www.xbrl.org/2003/linkbase}'
I = '{http://www.xbrl.org/2003/instance}'
D = '{http://xbrl.org/2006/xbrldi}'
facts, arcs, own = {}, {}, None
def split(id):
    prefix, local = id.split('_', 1)
    return ('std' if prefix in ('us-gaap', 'dei', 'srt') else 'own', local)
for f in sorted(glob.glob(os.path.join(sys.argv[1], '*.x*'))):
    if f.endswith(('_def.xml', '_lab.xml', '_pre.xml', 'FilingSummary.xml')): continue
    root = ET.parse(f).getroot()
    if root.tag == I + 'xbrl':
        place, unit = {}, {}
        for c in root.iter(I + 'context'):
            dims = sorted((m.get('dimension'), ''.join(m.itertext()).strip()) for m in c.iter() if m.tag.startswith(D))
            dates = [e.text.strip() for e in c.find(I + 'period')]
            place[c.get('id')] = json.dumps([dates, dims])
        for u in root.iter(I + 'unit'): unit[u.get('id')] = ' '.join(m.text.strip() for m in u.iter(I + 'measure'))
        for e in root:
            if e.get('unitRef') is None: continue
            ns, local = e.tag[1:].split('}')
            kind = 'std' if '/us-gaap/' in ns or '/dei/' in ns or '/srt/' in ns else 'own'
            key = (kind, local), place[e.get('contextRef')] + unit[e.get('unitRef')]
            nil = e.get('{http://www.w3.org/2001/XMLSchema-instance}nil') == 'true'
            facts.setdefault(key[0], {}).setdefault(key[1], []).append(None if nil else (Decimal(e.text.strip()), e.get('decimals')))
    for link in root.iter(L + 'calculationLink'):
        locs = {}
        for loc in link.iter(L + 'loc'): locs.setdefault(loc.get(X + 'label'), set()).add(split(loc.get(X + 'href').split('#')[1]))
        for arc in link.iter(L + 'calculationArc'):
            for a in locs[arc.get(X + 'from')]:
                for b in locs[arc.get(X + 'to')]:
                    arcs.setdefault((link.get(X + 'role'), a), set()).add((b, Decimal(arc.get('weight'))))
def interval(values):
    if all(v is None for v in values): return None
    if None in values: return 'stopped'
    low, high = Decimal('-Infinity'), Decimal('Infinity')
    for v, d in values:
        half = Decimal(0) if d == 'INF' else Decimal(5).scaleb(-int(d) - 1)
        if d != 'INF' and v % Decimal(1).scaleb(-int(d)) != 0: return 'stopped'
        low, high = max(low, v - half), min(high, v + half)
    return 'stopped' if low > high else (low, high)
out = {}
for (role, total), children in arcs.items():
    for where, values in facts.get(total, {}).items():
        t = interval(values)
        low, high, n, result = Decimal(0), Decimal(0), 0, None
        for child, w in children:
            i = interval(facts.get(child, {}).get(where, [None]))
            if i is None: continue
            n += 1
            if i == 'stopped': result = 'stopped'; continue
            ends = sorted((i[0] * w, i[1] * w))
            low, high = low + ends[0], high + ends[1]
        if t is None or n == 0: result = 'unbound'
        elif t == 'stopped': result = 'stopped'
        elif result is None: result = 'pass' if low <= t[1] and t[0] <= high else 'fail'
        out[result] = out.get(result, 0) + 1
print(json.dumps(out))
`;

function countedBy(path: string): Record<string, number> | null {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
  } catch {
    return null;
  }
  return JSON.parse(execFileSync('python3', ['-c', countScript, `${filings}/${path}`], { encoding: 'utf8' }));
}

const skipReason = 'no filing packages at ../shared/data/edgar/filings';

describe('calculations of filings as published, Calculations 1.1', () => {
  it.for([
    ['320193/000032019325000057', { pass: 120, unbound: 62 }],
    ['320193/000032019323000106', { pass: 176, unbound: 52 }],
    ['320193/000119312510238044', { pass: 130, unbound: 165, fail: 9 }],
    ['1065280/000119312510036181', { pass: 45, unbound: 25 }],
    ['1065280/000106528024000287', { pass: 111, unbound: 115, fail: 6 }],
    ['1318605/000162828024032662', { pass: 95, unbound: 14, fail: 8 }],
    ['1784970/000121390025041307', { pass: 28, unbound: 42, fail: 2 }],
    ['2078856/000119312525311400', { pass: 6, unbound: 11 }],
    ['34088/000003408823000020', {}],
    ['789019/000095017024087843', {}],
  ] as const)('%s gives the outcomes that a second implementation counts', async ([path, expected], ctx) => {
    if (!existsSync(filings)) ctx.skip(skipReason);
    expect(tally(await checksOf(path, '1.1-round'))).toEqual(expected);
    const counted = countedBy(path);
    if (counted === null) ctx.skip('no python3 to count with');
    expect(counted).toEqual(expected);
  });

  it('passes Assets of AAPL 2025-03-29: 118,674 + 212,559 = 331,233 million', async (ctx) => {
    if (!existsSync(filings)) ctx.skip(skipReason);
    const checks = await checksOf('320193/000032019325000057', '1.1-round');
    const check = wholeEntity(checks, {
      concept: 'us-gaap:Assets',
      end: '2025-03-29',
      role: 'CONDENSEDCONSOLIDATEDBALANCESHEETSUnaudited',
    });
    expect(shown(check)).toEqual({
      outcome: 'pass',
      total: '331232500000..331233500000',
      sum: '331232000000..331234000000',
    });
  });

  it('fails Assets of TSLA 2024-06-30 because leased vehicles and solar systems exist only with a dimension', async (ctx) => {
    if (!existsSync(filings)) ctx.skip(skipReason);
    const checks = await checksOf('1318605/000162828024032662', '1.1-round');
    const place = { end: '2024-06-30', role: 'ConsolidatedBalanceSheets' };
    // 112,832 reported; eight lines add up to 102,189 ± 4; 5,541 and 5,102 carry PropertyPlantAndEquipmentByTypeAxis
    expect(shown(wholeEntity(checks, { concept: 'us-gaap:Assets', ...place }))).toEqual({
      outcome: 'fail',
      total: '112831500000..112832500000',
      sum: '102185000000..102193000000',
    });
    expect(wholeEntity(checks, { concept: 'us-gaap:Liabilities', ...place }).outcome).toBe('pass');
    expect(
      wholeEntity(checks, { concept: 'us-gaap:LiabilitiesAndStockholdersEquity', ...place }).outcome,
    ).toBe('pass');
  });

  it('fails LiabilitiesCurrent of NXTT 2025-03-31 because one line exists only with RelatedParty', async (ctx) => {
    if (!existsSync(filings)) ctx.skip(skipReason);
    const checks = await checksOf('1784970/000121390025041307', '1.1-round');
    const check = wholeEntity(checks, {
      concept: 'us-gaap:LiabilitiesCurrent',
      end: '2025-03-31',
      role: 'ConsolidatedBalanceSheet',
    });
    // 730,000 + 2,062,195 + 130,415 = 2,922,610; 221,000 due to related parties is missing to 3,143,610
    expect(shown(check)).toEqual({
      outcome: 'fail',
      total: '3143609.5..3143610.5',
      sum: '2922608.5..2922611.5',
    });
  });

  it('fails GrossProfit of AAPL 2010 quarters, where cost of sales is not reported', async (ctx) => {
    if (!existsSync(filings)) ctx.skip(skipReason);
    const checks = await checksOf('320193/000119312510238044', '1.1-round');
    const fails = checks.filter((check) => check.outcome === 'fail');
    const quarters = fails.filter((check) => check.concept === 'us-gaap:GrossProfit');
    expect(quarters.length).toBe(8);
    expect(
      shown(quarters.find((check) => check.end === '2010-09-25') ?? (fails[0] as CalculationCheck)),
    ).toEqual({
      outcome: 'fail',
      total: '7511500000..7512500000',
      sum: '20342500000..20343500000',
    });
  });
});

describe('the same filings by XBRL 2.1 §5.2.5.2', () => {
  it('does not bind what is stated twice: TSLA binds 43 totals of 117, Calculations 1.1 binds 103', async (ctx) => {
    if (!existsSync(filings)) ctx.skip(skipReason);
    const bound = (checks: readonly CalculationCheck[]): number =>
      checks.filter((check) => check.outcome === 'pass' || check.outcome === 'fail').length;
    const classic = await checksOf('1318605/000162828024032662', '1.0');
    expect([classic.length, bound(classic)]).toEqual([117, 43]);
    expect(bound(await checksOf('1318605/000162828024032662', '1.1-round'))).toBe(103);
  });
});
