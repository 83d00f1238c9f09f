import { describe, expect, it } from 'vitest';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { asIssuerError } from './asIssuerError.ts';

describe('asIssuerError', () => {
  it('turns a full disk into store_unwritable that says what to do, exit 1', () => {
    const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', path: '/data/x' });
    const error = asIssuerError(full);
    expect(error.toCli()).toMatchObject({ exitCode: 1, code: 'store_unwritable' });
    expect(error.message).toBe('/data/x could not be written (ENOSPC).');
    expect(error.hint).toContain('Free some disk space');
  });

  it('knows a full disk by the words of the database', () => {
    const full = new Error(
      'IO Error: Could not write file "/data/warehouse/builds/x.duckdb.wal": No space left on device',
    );
    const error = asIssuerError(full);
    expect(error).toMatchObject({ code: 'store_unwritable', details: { errno: 'ENOSPC' } });
    expect(error.hint).toContain('Free some disk space');
    expect(asIssuerError(new Error('Disk quota exceeded')).hint).toContain('quota');
  });

  it('says which directory stands in the place of a file', () => {
    const taken = Object.assign(new Error('EISDIR: illegal operation'), { code: 'EISDIR', path: '/data/x' });
    expect(asIssuerError(taken)).toMatchObject({ code: 'store_unwritable', details: { path: '/data/x' } });
    expect(asIssuerError(taken).hint).toContain('A directory stands where a file is needed');
  });

  it('passes the errors of the project through and calls the rest internal', () => {
    const known = new IssuerError({ code: 'locked', message: 'm', hint: 'h' });
    expect(asIssuerError(known)).toBe(known);
    expect(asIssuerError(new TypeError('x is not a function'))).toMatchObject({ code: 'internal' });
    expect(asIssuerError('text').message).toContain('text');
  });
});
