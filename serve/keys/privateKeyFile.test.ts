import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSignerKey } from './privateKeyFile.ts';

const key = `0x${'4c'.repeat(32)}`;
let root: string;
let file: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'issuer-signer-'));
  file = join(root, 'key');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(text: string, mode: number): string {
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe('the signing key of the settler', () => {
  it('is read from a file of its own', () => {
    expect(readSignerKey(write(`${key}\n`, 0o600))).toBe(key);
    expect(readSignerKey(write(key, 0o400))).toBe(key);
  });

  it.each([0o644, 0o640, 0o604])('is not taken from a file others may read (S27): %o', (mode) => {
    expect(() => readSignerKey(write(key, mode))).toThrow('others may read');
  });

  it('is named by its variable when it is missing, unreadable or no key, and never shown (S16)', () => {
    const details = { variable: 'II_PAY_SIGNER_KEY_FILE' };
    expect(() => readSignerKey(null)).toThrow(expect.objectContaining({ code: 'configuration', details }));
    const absent = {
      details,
      message: `II_PAY_SIGNER_KEY_FILE names ${join(root, 'nowhere')}, which is not there.`,
    };
    expect(() => readSignerKey(join(root, 'nowhere'))).toThrow(expect.objectContaining(absent));
    expect(() => readSignerKey(join(write(key, 0o600), 'key'))).toThrow('may not read (ENOTDIR)');
    const secret = 'abandon abandon abandon';
    try {
      readSignerKey(write(secret, 0o600));
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ details });
      expect(JSON.stringify(error)).not.toContain(secret);
      expect(String(error)).not.toContain('abandon');
    }
  });
});
