import { describe, expect, it } from 'vitest';
import { assembleObject, closed } from './assembleObject.ts';

describe('assembleObject', () => {
  it('prints stored, listed and made members in canonical order (I4.32)', () => {
    const bytes = assembleObject({
      meta: { total: 2, count: 2 },
      data: [Buffer.from('{"a":1}'), Buffer.from('{"a":2}')],
      E: Buffer.from('1.50'),
      none: undefined,
    });
    expect(closed(bytes).toString()).toBe('{"E":1.50,"data":[{"a":1},{"a":2}],"meta":{"count":2,"total":2}}');
    expect(closed(assembleObject(new Map())).toString()).toBe('{}');
  });
});
