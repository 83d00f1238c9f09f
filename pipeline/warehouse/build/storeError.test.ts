import { describe, expect, it } from 'vitest';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import { storeError } from './readRows.ts';

describe('what ends a build of the warehouse', () => {
  it('is named where DuckDB had to hold more than it may, with what goes on', () => {
    const cause = new Error(
      'Out of Memory Error: failed to pin block of size 256.0 KiB (243.9 MiB/244.1 MiB used)\n\nPossible solutions:',
    );
    const told = storeError(cause, '/data/warehouse') as IssuerError;
    expect(told).toBeInstanceOf(IssuerError);
    expect(told.code).toBe('store_unwritable');
    expect(told.message).toBe(
      'The warehouse at /data/warehouse needs more memory than a build may hold: ' +
        'Out of Memory Error: failed to pin block of size 256.0 KiB (243.9 MiB/244.1 MiB used).',
    );
    expect(told.hint).toBe(
      'Give it more with II_BUILD_MEMORY_BYTES, 512000000 to begin with. What was published before goes on.',
    );
  });

  it('names a full disk by its code, and leaves what is about neither', () => {
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    expect((storeError(full, '/data') as IssuerError).message).toContain('cannot be written: ENOSPC');
    const other = new Error('Binder Error: no such column');
    expect(storeError(other, '/data')).toBe(other);
  });
});
