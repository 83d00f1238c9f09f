import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { easternOfUtc } from '../../source/easternTime.ts';
import { readCentralDirectory } from '../../zip/readCentralDirectory.ts';
import { readZipEntry } from '../../zip/readZipEntry.ts';
import { openRandomAccessFile } from '../../zip/zipEntry.ts';
import { acceptanceZone, acceptedAt, parseSubmissions } from './parseSubmissions.ts';

const rows = (...stated: string[]) => stated.map((text) => ({ form: '8-K', stated: text }));

describe('the zone of acceptance instants (M1.44d)', () => {
  it('is New York where the rows as UTC would lie in the night', () => {
    // 8 am in New York, which UTC would make 3 am
    expect(acceptanceZone(rows('2026-01-20 08:00:28', '2026-01-12 16:10:03'))).toBe('snapshot_eastern');
  });

  it('is UTC where the rows as New York time would lie in the night', () => {
    expect(acceptanceZone(rows('2025-11-04 02:30:00', '2025-11-03 21:05:00'))).toBe('snapshot_utc');
    // four hours in summer: 01:59 is 21:59, a minute past 02:00 is past 22:00
    expect(acceptanceZone(rows('2025-07-04 01:59:00'))).toBe('snapshot_utc');
    expect(acceptanceZone(rows('2025-07-04 02:01:00'))).toBe('later_reading');
  });

  it('is the later reading where both or neither fit', () => {
    expect(acceptanceZone(rows('2025-11-03 16:05:00'))).toBe('later_reading');
    expect(acceptanceZone(rows('2025-11-03 08:00:00', '2025-11-04 02:00:00'))).toBe('later_reading');
    expect(acceptanceZone([])).toBe('later_reading');
    expect(acceptedAt('2025-11-03 20:30:00', 'later_reading')).toBe('2025-11-04 01:30:00');
    expect(acceptedAt('2025-11-03 20:30:00', 'snapshot_utc')).toBe('2025-11-03 20:30:00');
  });

  it('leaves out what the staff puts there at night, days without a time, and one row of a hundred', () => {
    const day = rows(...Array.from({ length: 99 }, () => '2026-01-20 08:00:28'));
    const staff = { form: 'EFFECT', stated: '2025-08-29 00:15:04' };
    const dated = [...rows('2002-02-14 05:00:00'), ...rows('2002-02-14 00:00:00')];
    expect(acceptanceZone([...day, staff, ...dated])).toBe('snapshot_eastern');
    const evening = rows('2022-10-04 22:05:07');
    expect(acceptanceZone([...day, ...evening])).toBe('snapshot_eastern');
    expect(acceptanceZone([...day, ...evening, ...evening])).toBe('later_reading');
  });

  it('never makes a filing known before it was, whichever zone a list is in', () => {
    // an instant in EDGAR's hours, 1995 to 2030
    const instant = fc
      .record({
        day: fc.integer({ min: Date.UTC(1995, 0, 1), max: Date.UTC(2030, 0, 1) }),
        hour: fc.integer({ min: 11, max: 25 }),
        seconds: fc.integer({ min: 0, max: 3599 }),
      })
      .map(({ day, hour, seconds }) => {
        const midnight = day - (day % 86_400_000);
        return new Date(midnight + (hour * 3600 + seconds) * 1000)
          .toISOString()
          .slice(0, 19)
          .replace('T', ' ');
      });
    fc.assert(
      fc.property(fc.array(instant, { minLength: 1, maxLength: 30 }), fc.boolean(), (true_, isEastern) => {
        const stated = isEastern ? true_.map(easternOfUtc) : true_;
        const basis = acceptanceZone(rows(...stated));
        const known = stated.map((text) => acceptedAt(text, basis));
        for (const [i, at] of known.entries()) expect(at >= (true_[i] ?? '')).toBe(true);
        if (basis === 'snapshot_eastern' || isEastern) expect(known).toEqual(true_);
      }),
    );
  });

  const archive = fileURLToPath(new URL('../../../../shared/data/edgar/submissions.zip', import.meta.url));
  it.skipIf(!existsSync(archive))('tells the files of the archive at hand apart', () => {
    const file = openRandomAccessFile(archive);
    try {
      const found = new Map<string, string>();
      for (const entry of readCentralDirectory({ file, limits: { entryBytes: 1 << 27 } }).entries) {
        const text = new TextDecoder().decode(readZipEntry(file, entry));
        const { filings } = parseSubmissions({ name: entry.name, input: '', text });
        found.set(entry.name.slice(3, -5), String(filings[0]?.at(-1) ?? 'none'));
      }
      const counts = Object.fromEntries(
        [...Map.groupBy(found.values(), (basis) => basis)].map(([basis, all]) => [basis, all.length]),
      );
      // Strategy's and Apple's are copies in Eastern time, Microsoft's and Tesla's are as the API gives them
      expect([found.get('0001050446'), found.get('0000320193')]).toEqual([
        'snapshot_eastern',
        'snapshot_eastern',
      ]);
      expect([found.get('0000789019'), found.get('0001318605')]).toEqual(['snapshot_utc', 'snapshot_utc']);
      expect(counts).toEqual({ snapshot_eastern: 46, snapshot_utc: 18, later_reading: 7, none: 1 });
    } finally {
      file.close();
    }
  });
});
