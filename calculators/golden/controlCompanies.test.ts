import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { readCompanyFactsFile } from '../../fixtures/builders/companyFactsFile.ts';
import { filedFact, issuerInputs } from '../../fixtures/builders/issuerInputs.ts';
import { readArchive } from '../../fixtures/builders/readArchive.ts';
import { type Cells, cell, readTable } from '../../fixtures/builders/readTables.ts';
import { registryParameters } from '../../fixtures/builders/registryParameters.ts';
import type { DebtResolution } from '../debt/debtResolution.ts';
import { resolveDebt } from '../debt/resolveDebt.ts';
import { faceOrder } from '../faceOrder/faceOrder.ts';
import { factSheet } from '../filing/factSheet.ts';
import type { FiledFact, Filing } from '../filing/rows.ts';
import { filingNetworks } from '../network/filingNetworks.ts';

const parameters = registryParameters;

type Control = { readonly filing: Filing; readonly rows: readonly Cells[]; readonly counted: ExactDecimal };

/** The filings of `controls.csv`; `counted` is what a reader of the face added up by hand. */
const controls = new Map<string, Control>(
  [
    ...Map.groupBy(await readTable('controls.csv'), (row) => `${cell(row, 'ticker')} ${cell(row, 'period')}`),
  ].map(([name, rows]) => {
    const [first = {}] = rows;
    const filing: Filing = {
      cik: cell(first, 'cik'),
      accession: cell(first, 'accession'),
      accessionStatus: cell(first, 'accession_status') === 'filed' ? 'filed' : 'placeholder',
      form: cell(first, 'form'),
      filed: cell(first, 'period'),
      acceptedAt: `${cell(first, 'period')}T21:00:00Z`,
      acceptanceEstimated: true,
      period: cell(first, 'period'),
    };
    const counted = rows.reduce((sum, row) => {
      const value = ExactDecimal.parse(cell(row, 'value'));
      const sign = cell(row, 'counted');
      return sign === '' ? sum : sign === '1' ? sum.plus(value) : sum.minus(value);
    }, ExactDecimal.zero);
    return [name, { filing, rows, counted }];
  }),
);

function resolved(filing: Filing, facts: readonly FiledFact[]): DebtResolution {
  const sheet = factSheet(issuerInputs({ filing, facts }), '2026-12-31');
  const face = faceOrder({ filing: null, sheet, bounds: parameters.faceOrder });
  const networks = filingNetworks(null, sheet);
  return resolveDebt({ sheet, activity: [], parameters, networks, face, filing: null });
}

function factsOf({ filing, rows }: Control): FiledFact[] {
  return rows.map((row) => {
    const start = cell(row, 'start');
    const flow = start === '' ? {} : { start };
    return filedFact(filing, { concept: cell(row, 'concept'), value: cell(row, 'value'), ...flow });
  });
}

/**
 * What the counts differ by where they do, within one amount: two concepts of one line that the filer rounds apart
 * (M1.34), and a combined total that the note states in hundred millions (M1.34b).
 */
const rounding = new Map([
  ['IBM 2025-06-30', '1000000'],
  ['MSFT 2015-03-31', '68000000'],
]);

/** No debt on the face; converts repaid in the quarter, and a tenth of the liabilities in lines without a name (M1.37). */
const unproven = ['HUBS 2025-06-30'];

/** A debt of nothing is one only where the rest of the filing bears it out. */
const proven = [...controls].filter(([name]) => !unproven.includes(name));

describe('debt of control companies against an independent count of the face', () => {
  it('counts 28 companies in 32 filings', () => {
    expect(new Set([...controls.values()].map(({ filing }) => filing.cik)).size).toBe(28);
    expect(controls.size).toBe(32);
  });

  it.each(proven)('%s', (name, control) => {
    const { total, coverage } = resolved(control.filing, factsOf(control));
    const gap = total.minus(control.counted);
    expect((gap.sign < 0 ? gap.negated() : gap).toString()).toBe(rounding.get(name) ?? '0');
    expect(coverage).toBe(control.counted.sign > 0 ? 'resolved_nonzero' : 'legitimate_zero_debt');
  });

  it.each(unproven)('%s is no zero without proof', (name) => {
    const control = controls.get(name);
    if (control === undefined) throw new Error(`controls.csv lacks ${name}`);
    const { total, coverage } = resolved(control.filing, factsOf(control));
    expect([total.sign, coverage]).toEqual([0, 'low_confidence_missing_debt']);
  });
});

const archive = fileURLToPath(new URL('../../../shared/data/edgar/companyfacts.zip', import.meta.url));

it('control companies: every fact of the filings gives what the quoted ones give', async (ctx) => {
  if (!existsSync(archive)) ctx.skip('../shared/data/edgar/companyfacts.zip is not there to compare with');
  const names = new Set([...controls.values()].map(({ filing }) => `CIK${filing.cik}.json`));
  const texts = await readArchive(archive, (name) => names.has(name));
  for (const [name, control] of controls) {
    const { filing, rows } = control;
    const { facts } = readCompanyFactsFile(texts.get(`CIK${filing.cik}.json`) ?? '');
    const own = facts.filter(({ accn }) => accn === filing.accession);
    const known = new Set(own.map((fact) => `${fact.concept} ${fact.start ?? ''} ${fact.end} ${fact.val}`));
    for (const row of rows) {
      const [, concept] = cell(row, 'concept').split(':');
      expect(known, name).toContain(
        `${concept} ${cell(row, 'start')} ${filing.period} ${cell(row, 'value')}`,
      );
    }
    const all = own.map(({ val, accn, ...fact }) => ({
      ...fact,
      accession: accn,
      value: ExactDecimal.parse(val),
      filed: filing.filed,
    }));
    const [quoted, whole] = [resolved(filing, factsOf(control)), resolved(filing, all)];
    expect([whole.total.toString(), whole.coverage], name).toEqual([
      quoted.total.toString(),
      quoted.coverage,
    ]);
  }
});
