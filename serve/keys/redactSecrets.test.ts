import { expect, test } from 'vitest';
import { issueApiKey } from './apiKey.ts';
import { redactSecrets } from './redactSecrets.ts';

test('a key in the middle of an error text becomes its id (P6.7)', () => {
  const { text, keyId } = issueApiKey();
  expect(redactSecrets(`bad header ${text}, twice ${text}`)).toBe(
    `bad header apikey:${keyId} twice apikey:${keyId}`,
  );
});

test('a cut key and a grant token are replaced, other text is left alone', () => {
  expect(redactSecrets('iik_AAAAABBBBB_x')).toBe('apikey:AAAAABBBBB');
  expect(redactSecrets('token ii1.abc.def end')).toBe('token ii1.redacted end');
  expect(redactSecrets('key iik_AAAAABBBBB is gone, ii://x')).toBe('key iik_AAAAABBBBB is gone, ii://x');
});

test('a JSON line stays valid JSON', () => {
  const { text, keyId } = issueApiKey();
  const line = JSON.stringify({ msg: `"${text}"`, token: 'ii1.a.b', more: [text] });
  expect(JSON.parse(redactSecrets(line))).toEqual({
    msg: `"apikey:${keyId}"`,
    token: 'ii1.redacted',
    more: [`apikey:${keyId}`],
  });
});
