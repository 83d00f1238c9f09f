import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costlyRuns } from '../../fixtures/rigs/costlyRuns.ts';
import {
  type ArchiveFact,
  companyFile,
  recordedChanges,
  recordedScans,
  scanArchive,
} from '../../fixtures/rigs/handMadeScans.ts';
import { handMadeWarehouse } from '../../fixtures/rigs/handMadeWarehouse.ts';
import { readRows } from '../warehouse/build/readRows.ts';

// small archives over few keys, so that rows are added, removed and revised often
const fact = fc.record({
  concept: fc.constantFrom('Assets', 'Liabilities', 'CashCash'),
  val: fc.constantFrom('1', '2', '2.5', '9007199254740993', '-7'),
  end: fc.constantFrom('2025-06-30', '2025-09-30'),
  accn: fc.constantFrom('0000000001-25-000001', '0000000001-25-000002', '0000000001-25-000003'),
});
const company = fc.uniqueArray(fact, {
  minLength: 1,
  maxLength: 6,
  selector: (f) => `${f.concept} ${f.end} ${f.accn}`,
});
const archive = fc.tuple(company, company);
type Archive = readonly (readonly ArchiveFact[])[];
const entries = (facts: Archive) => facts.map((own, i) => companyFile(i + 1, own));

/** The difference worked out by hand: CIK, kind, concept, value before and after, a line a row. */
function difference(before: Archive, after: Archive): string[] {
  const valuesOf = (facts: Archive) =>
    new Map(
      facts.flatMap((own, i) =>
        own.map(({ concept, end, accn, val }) => [`${i + 1} ${concept} ${end} ${accn}`, val] as const),
      ),
    );
  const [old, now] = [valuesOf(before), valuesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => old.get(key) !== now.get(key))
    .map((key) => {
      const [cik, concept] = key.split(' ');
      const kind = !old.has(key) ? 'added' : now.has(key) ? 'revised' : 'removed';
      return `${cik} ${kind} ${concept} ${amount(old.get(key))} ${amount(now.get(key))}`;
    })
    .sort();
}

/** A value as the warehouse prints it: a double, or the digits that a double cannot hold. */
function amount(value: ArchiveFact['val'] | undefined): string {
  if (value === undefined) return '-';
  return String(Number(value)) === String(value) ? Number(value).toFixed(1) : String(value);
}

async function lastDelta(warehouse: Awaited<ReturnType<typeof handMadeWarehouse>>, day: string) {
  const lines = (await recordedChanges(warehouse)).filter((line) => line.startsWith(day));
  return lines.map((line) => line.split(' ').slice(1));
}

describe('the laws of a difference (M15.47)', () => {
  it('is empty from X to X, opposite from Y to X, and adds up to its rows, whatever the archives', async () => {
    await fc.assert(
      fc.asyncProperty(archive, archive, async (x, y) => {
        const warehouse = await handMadeWarehouse();
        try {
          const published = ['2025-11-03', '2025-11-04', '2025-11-05', '2025-11-06'];
          const night = (sourceDate: string, facts: typeof x) =>
            scanArchive(warehouse, { entries: entries(facts), sourceDate, published });
          await night('2025-11-03', x);
          await night('2025-11-04', y);
          await night('2025-11-05', x);
          await night('2025-11-06', x);
          const there = await lastDelta(warehouse, '2025-11-04');
          const back = await lastDelta(warehouse, '2025-11-05');
          expect(await lastDelta(warehouse, '2025-11-06')).toEqual([]);
          const opposite = { added: 'removed', removed: 'added', revised: 'revised' } as Record<
            string,
            string
          >;
          const plain = ([cik, kind, concept, before, after]: string[]) =>
            [cik, kind, concept, before, after].join(' ');
          const turned = ([cik, kind, concept, before, after]: string[]) =>
            [cik, opposite[kind ?? ''], concept, after, before].join(' ');
          expect(back.map(plain).sort()).toEqual(there.map(turned).sort());
          expect(there.map(plain).sort()).toEqual(difference(x, y));
          expect(await recordedScans(warehouse)).toHaveLength(4);
        } finally {
          await warehouse.remove();
        }
      }),
      costlyRuns(8),
    );
  });

  it('is the same through a night nobody saw', async () => {
    await fc.assert(
      fc.asyncProperty(archive, archive, archive, async (x, y, z) => {
        const [direct, folded] = [await handMadeWarehouse(), await handMadeWarehouse()];
        try {
          const scan = (warehouse: typeof direct, sourceDate: string, facts: typeof x) =>
            scanArchive(warehouse, { entries: entries(facts), sourceDate, published: ['2025-11-03'] });
          await scan(direct, '2025-11-03', x);
          await scan(direct, '2025-11-05', z);
          await scan(folded, '2025-11-03', x);
          await scan(folded, '2025-11-04', y);
          await scan(folded, '2025-11-05', z);
          const rows = (warehouse: typeof direct) =>
            readRows(
              warehouse.connection,
              `SELECT scan_date::VARCHAR AS day, cik, kind, concept, "end"::VARCHAR AS "end", accession, value_before, value_after,
                value_before_exact, value_after_exact FROM scan_change ORDER BY ALL`,
            );
          expect(await rows(folded)).toEqual(await rows(direct));
          const files =
            "SELECT name, crc_before, crc_after FROM scan_file WHERE scan_date = DATE '2025-11-05' ORDER BY name";
          expect(await readRows(folded.connection, files)).toEqual(await readRows(direct.connection, files));
        } finally {
          await Promise.all([direct.remove(), folded.remove()]);
        }
      }),
      costlyRuns(8),
    );
  });
});
