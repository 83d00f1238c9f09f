import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedJson } from './boundedJson.ts';

const read = (text: string) => boundedJson(Buffer.from(text));

describe('boundedJson', () => {
  it('reads what JSON.parse reads, as long as it is small and says nothing twice (P2.16)', () => {
    const leaf = fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant(null));
    const members = fc.dictionary(fc.string({ maxLength: 8 }), leaf, { maxKeys: 8 });
    fc.assert(
      fc.property(fc.array(members, { maxLength: 8 }), (value) => {
        const text = JSON.stringify(value);
        expect(read(text)).toEqual({ value: JSON.parse(text) });
      }),
    );
  });

  it('answers any text with a value or a fault, never by throwing (S19)', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', '"', '\\', '\\"', ':', ',', 'a', '1', '\\u00', '\n');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        const found = read(text);
        if ('value' in found) expect(found.value).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses a member named twice, however the name is spelled (P2.16)', () => {
    expect(read('{"a":1,"a":1}')).toEqual({ fault: 'not_json' });
    expect(read('{"a":1,"\\u0061":2}')).toEqual({ fault: 'not_json' });
    expect(read('{"__proto__":1,"__proto__":2}')).toEqual({ fault: 'not_json' });
    expect(read('{"a":{"a":["a","a"]}}')).toEqual({ value: { a: { a: ['a', 'a'] } } });
  });

  it('refuses depth and width before anything is built (P2.16)', () => {
    expect(read(`${'['.repeat(9)}${']'.repeat(9)}`)).toHaveProperty('value');
    expect(read('['.repeat(10))).toEqual({ fault: 'too_complex' });
    expect(read(`[${'1,'.repeat(63)}1]`)).toHaveProperty('value');
    expect(read(`[${'1,'.repeat(64)}1]`)).toEqual({ fault: 'too_complex' });
  });

  it('refuses bytes that are no UTF-8, and a byte order mark', () => {
    expect(boundedJson(Buffer.from([0x22, 0xff, 0x22]))).toEqual({ fault: 'not_utf8' });
    expect(read('\ufeff{}')).toEqual({ fault: 'not_json' });
  });

  // looked for again from every escaped quote, the end of this text would take minutes
  it('looks once for the end of a text that has none (S19, S20)', () => {
    expect(read(`"${'\\"'.repeat(131_000)}`)).toEqual({ fault: 'not_json' });
    expect(read(`{"a":${'"\\"'.repeat(80_000)}`)).toEqual({ fault: 'not_json' });
  });
});
