import { describe, expect, it } from 'vitest';
import { endLabelOf } from './endLabels.ts';
import { ratioText } from './figures.ts';

const line = { name: 'live', isMain: true, text: ratioText };

describe('the label at the end of a line (V39)', () => {
  it('of the newest slice has the name alone', () => {
    const days = [
      { date: '2025-06-30', value: 0.38 },
      { date: '2025-09-30', value: 0.3 },
    ];
    expect(endLabelOf(days, line)).toEqual([{ at: 0.3, value: '0.30', name: 'live', isMain: true }]);
  });

  it('of an older slice names its day and is not the main one', () => {
    const days = [
      { date: '2025-09-30', value: 0.3 },
      { date: '2025-11-20', value: null },
    ];
    expect(endLabelOf(days, line)).toEqual([
      { at: 0.3, value: '0.30', name: 'live 2025-09-30', isMain: false },
    ]);
  });

  it('is none where no slice has a value', () => {
    expect(endLabelOf([{ date: '2025-11-20', value: null }], line)).toEqual([]);
    expect(endLabelOf([], line)).toEqual([]);
  });
});
