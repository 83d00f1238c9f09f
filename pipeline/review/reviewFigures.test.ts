import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { figuresToCheck } from '../../data/contract/payloads/audit/figuresToCheck.ts';
import { covenantStress } from '../../data/contract/payloads/issuer/covenantStress.ts';
import { ExactDecimal } from '../../data/contract/values/exactDecimal.ts';
import { handMadeTrail } from '../../fixtures/builders/handMadeTrail.ts';
import { type HandMadeWarehouse, handMadeWarehouse } from '../../fixtures/rigs/handMadeWarehouse.ts';
import { dataLayout } from '../dataLayout.ts';
import { type LogEvent, realFiles, systemClock } from '../effects.ts';
import { writeStressRows } from '../warehouse/derived/stressRows.ts';
import { figuresText } from './figuresText.ts';
import { keepFigures, reviewFigures } from './reviewFigures.ts';

let warehouse: HandMadeWarehouse;
beforeEach(async () => {
  warehouse = await handMadeWarehouse();
});
afterEach(() => warehouse.remove());

const layout = () => ({ ...dataLayout(warehouse.root), database: warehouse.path });

type Members = Partial<ReturnType<typeof covenantStress.schema.parse>>;

/** FLD 2025-09-30 as published, in the slice of a day. */
async function publish(sourceDate: string, members: Members = {}, methodVersion = 'params-1.2') {
  const row = {
    ...covenantStress.example,
    cik: '0001889123',
    ticker: 'FLD',
    accession_number: '0001213900-25-111111',
    source_date: sourceDate,
    period: '2025-09-30',
    total_long_term_debt: ExactDecimal.parse('82394322'),
    total_crypto_fair_value: ExactDecimal.parse('179688082'),
    stress_50pct: 0.917082,
    risk_tier: 'HIGH' as const,
    crypto_share_of_assets: 0.940942,
    data_quality_notes: [],
    ...members,
  };
  const trails = new Map([['0001889123', handMadeTrail()]]);
  await writeStressRows(warehouse.connection, [row], { sourceDate, methodVersion, trails });
}

async function promote(release: string) {
  const { current } = layout().artifacts;
  await mkdir(dirname(current), { recursive: true });
  await writeFile(current, `${release}\n`);
  warehouse.close();
}

describe('issuer doctor --figures (M13.11)', () => {
  it('says plainly that nothing is odd', async () => {
    await publish('2025-11-19');
    await promote('2025-11-19.1');
    const figures = await reviewFigures(layout());
    expect(figures).toMatchObject({ row_count: 1, compared_count: 0, doubt_count: 0, doubts: [] });
    expect(figuresText(figures, { flag: '' })).toBe(
      'Figures of 2025-11-19.1 to check first: 0 in 1 rows.\n' +
        'Nothing is odd: no note, check or comparison questions a figure.\n' +
        '0 of the rows are held against an earlier filing; for the others none is in the\nwarehouse.\n',
    );
  });

  it('reads the slice of the current release, the filing before it and the night before it', async () => {
    await publish('2025-08-31', {
      period: '2025-06-30',
      accession_number: '0001213900-25-000001',
      crypto_share_of_assets: 0.5,
    });
    await publish('2025-11-18', { classification_version: 'cls-1.1', risk_tier: 'LOW' });
    await publish('2025-11-19', {}, 'params-1.9');
    await publish('2025-11-19', { data_quality_notes: ['customer_coins:9295587'] }, 'params-1.10');
    await publish('2025-11-20', { data_quality_notes: ['liabilities_residual:1'] });
    await promote('2025-11-19.2');
    const figures = await reviewFigures(layout());
    expect(figuresToCheck.parse(figures)).toMatchObject({ row_count: 1, compared_count: 1, doubt_count: 3 });
    expect(figures.doubts.map(({ kind, figure }) => `${kind} ${figure}`)).toEqual([
      'customer_coins coins',
      'share_jump share',
      'method_changed tier',
    ]);
  });

  it('fits 80 columns and gives the command to type next', async () => {
    const long = `fld:${'ConvertibleNotesPayableRelatedParty'.repeat(3)}`;
    await publish('2025-11-19', {
      data_quality_notes: [`inconsistent_duplicate:${long}`, 'customer_coins:9295587'],
    });
    await promote('2025-11-19.1');
    const text = figuresText(await reviewFigures(layout()), { flag: ' --data /srv/issuer' });
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    expect(text).toContain(
      'Moves the ratio inside its tier\n' +
        '  2  FLD        coins  2025-09-30  HIGH 0.917082 → HIGH 0.967112\n' +
        '     9,295,587 of the coins is owed to customers (customer_coins)\n' +
        '     issuer explain FLD --source-date 2025-11-19 --data /srv/issuer\n',
    );
  });

  it('names what is missing: a release, or the rows of its slice', async () => {
    await publish('2025-11-19');
    await expect(reviewFigures(layout())).rejects.toMatchObject({ code: 'input_missing' });
    await promote('2025-11-21.1');
    await expect(reviewFigures(layout())).rejects.toThrow('The warehouse has no rows of 2025-11-21.1.');
  });

  it('is left for the audit of the slice, and a list that cannot be made is a warning', async () => {
    const lines: LogEvent[] = [];
    const effects = {
      clock: systemClock(),
      files: realFiles(),
      log: (event: LogEvent) => void lines.push(event),
    };
    await publish('2025-11-19', { data_quality_notes: ['liabilities_residual:8239432'] });
    await keepFigures(layout(), effects);
    await promote('2025-11-19.1');
    await keepFigures(layout(), effects);
    expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'warn the figures to check could not be listed: No release has been published yet, so there are no figures to check.',
      'info 1 figures to check, 1 could give another tier: issuer doctor --figures',
    ]);
    const path = join(layout().artifacts.root, 'audit', '2025-11-19.figures.json');
    expect(figuresToCheck.parse(JSON.parse(await readFile(path, 'utf8'))).doubts).toHaveLength(1);
  });
});
