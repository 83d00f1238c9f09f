import { describe, expect, it } from 'vitest';
import { IssuerError } from '../../data/contract/errors/issuerError.ts';
import { eachRegistrant } from './nightChanges.ts';

const names = ['AAA', 'BBB', 'CCC'];

function run(failure: unknown): { made: string[]; said: string[] } {
  const said: string[] = [];
  const made = eachRegistrant(names, {
    what: 'the change row',
    nameOf: (name) => name,
    make: (name) => {
      if (name === 'BBB') throw failure;
      return name.toLowerCase();
    },
    log: ({ message }) => said.push(message),
  });
  return { made, said };
}

describe('eachRegistrant', () => {
  it('excludes the company whose row a calculator cannot make, and keeps the others in order', () => {
    expect(run(new RangeError('division by zero'))).toEqual({
      made: ['aaa', 'ccc'],
      said: ['the change row of BBB cannot be made and is excluded: a calculator failed: division by zero'],
    });
  });

  it('passes what is about the machine: a full disk is no fault of a company', () => {
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    expect(() => run(full)).toThrow(full);
    const stopped = new IssuerError({ code: 'interrupted', message: 'Stopped.', hint: 'Run it again.' });
    expect(() => run(stopped)).toThrow(stopped);
  });
});
