import { expect, test } from 'vitest';
import { manualTime } from '../../fixtures/rigs/ledger/ledgerManualTime.ts';
import type { ApiKeyRecord } from '../ledger/port/ledger.ts';
import { hashSecret, issueApiKey, keyRing, keyRingBounds, type SecretWork } from './keyRing.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

function countingWork(): SecretWork & { counts: { hash: number; equal: number }; seen: number[] } {
  const counts = { hash: 0, equal: 0 };
  const seen: number[] = [];
  return {
    counts,
    seen,
    hash: (salt, secret) => {
      counts.hash += 1;
      seen.push(salt.length + secret.length);
      return hashSecret(salt, secret);
    },
    equal: (a, b) => {
      counts.equal += 1;
      return Buffer.compare(a, b) === 0;
    },
  };
}

function ring({
  records,
  time,
  work,
}: {
  records: ApiKeyRecord[];
  time?: ReturnType<typeof manualTime>;
  work?: SecretWork;
}) {
  const uses: { keyId: string; atMs: number }[][] = [];
  const events: string[] = [];
  const state = { records, failing: false, reads: 0 };
  const made = keyRing({
    keys: {
      records: async () => {
        state.reads += 1;
        if (state.failing) throw new Error('disk gone');
        return state.records;
      },
      noteUsed: (batch) => uses.push([...batch]),
    },
    time: time ?? manualTime(),
    log: (line) => events.push(line.event),
    ...(work === undefined ? {} : { work }),
  });
  return { ring: made, uses, events, state };
}

function record(apiKeyRecord: Partial<ApiKeyRecord> = {}): { text: string; record: ApiKeyRecord } {
  const { text, keyId, salt, secretHash } = issueApiKey();
  return {
    text,
    record: {
      keyId,
      salt,
      secretHash,
      label: 'desk',
      scopes: ['rest'],
      createdMs: 0,
      createdBy: 'operator:ada',
      expiresMs: null,
      revokedMs: null,
      revokedBy: null,
      replacedBy: null,
      lastUsedMs: null,
      ...apiKeyRecord,
    },
  };
}

// another secret of the right shape under the same id
function wrongSecret(text: string): string {
  const other = issueApiKey().text;
  return text.slice(0, 15) + other.slice(15);
}

test('the right key is valid with its id, label and scopes', async () => {
  const key = record({ scopes: ['rest', 'mcp'] });
  const { ring: keys } = ring({ records: [key.record] });
  await keys.start();
  expect(keys.check(key.text)).toEqual({
    kind: 'valid',
    keyId: key.record.keyId,
    label: 'desk',
    scopes: ['rest', 'mcp'],
  });
  keys.stop();
});

test('an unknown id and a wrong secret give the same answer for the same counted work (S15)', async () => {
  const key = record();
  const work = countingWork();
  const { ring: keys } = ring({ records: [key.record], work });
  await keys.start();
  const answers = [issueApiKey().text, wrongSecret(key.text), key.text].map((text) => {
    work.counts.hash = 0;
    work.counts.equal = 0;
    const { kind } = keys.check(text);
    return { kind, ...work.counts };
  });
  expect(answers).toEqual([
    { kind: 'invalid', hash: 1, equal: 1 },
    { kind: 'invalid', hash: 1, equal: 1 },
    { kind: 'valid', hash: 1, equal: 1 },
  ]);
  expect(keys.check(issueApiKey().text)).toBe(keys.check(wrongSecret(key.text)));
  // the same number of bytes is hashed, too
  expect(new Set(work.seen)).toEqual(new Set([48]));
  keys.stop();
});

test('a text that is no key at all costs no hash', async () => {
  const work = countingWork();
  const { ring: keys } = ring({ records: [], work });
  await keys.start();
  expect(keys.check('iik_x'.repeat(5000))).toEqual({ kind: 'invalid' });
  expect(work.counts).toEqual({ hash: 0, equal: 0 });
  keys.stop();
});

test('a key is valid until the millisecond it expires, checked at each request (P6.3, X68)', async () => {
  const time = manualTime(1_000_000);
  const key = record({ expiresMs: 1_000_500 });
  const { ring: keys } = ring({ records: [key.record], time });
  await keys.start();
  time.advance(499);
  expect(keys.check(key.text).kind).toBe('valid');
  time.advance(1);
  expect(keys.check(key.text).kind).toBe('invalid');
  keys.stop();
});

test('a revocation and a new key take effect within 5 s (P6.3)', async () => {
  const time = manualTime();
  const old = record();
  const next = record();
  const { ring: keys, state } = ring({ records: [old.record], time });
  await keys.start();
  state.records = [{ ...old.record, revokedMs: time.nowMs() }, next.record];
  expect([keys.check(old.text).kind, keys.check(next.text).kind]).toEqual(['valid', 'invalid']);
  time.advance(keyRingBounds.refreshMs);
  await settled();
  expect([keys.check(old.text).kind, keys.check(next.text).kind]).toEqual(['invalid', 'valid']);
  expect(keyRingBounds.refreshMs).toBeLessThan(5000);
  keys.stop();
});

test('a reading that fails is logged and made again; after 5 s without one no key is taken for valid (P6.3)', async () => {
  const time = manualTime();
  const key = record();
  const { ring: keys, state, events } = ring({ records: [key.record], time });
  await keys.start();
  state.failing = true;
  const after = async (ms: number): Promise<string> => {
    time.advance(ms);
    await settled();
    return keys.check(key.text).kind;
  };
  expect(await after(keyRingBounds.refreshMs)).toBe('valid');
  expect(await after(250)).toBe('valid');
  expect(events).toEqual(['api_keys_not_read', 'api_keys_not_read']);
  expect(await after(250)).toBe('unread');
  expect(keys.check(wrongSecret(key.text)).kind).toBe('invalid');
  state.failing = false;
  expect(await after(250)).toBe('valid');
  expect(await after(4499)).toBe('valid');
  keys.stop();
});

test('a reading that took longer than 5 s, or was overtaken, tells nothing about now (P6.3)', async () => {
  const time = manualTime();
  const key = record();
  const pending: ((records: ApiKeyRecord[]) => void)[] = [];
  const keys = keyRing({
    keys: {
      records: () => new Promise((resolve) => pending.push(resolve)),
      noteUsed: () => {},
    },
    time,
    log: () => {},
  });
  const answer = async (at: number, records: ApiKeyRecord[]): Promise<string> => {
    pending[at]?.(records);
    await settled();
    return keys.check(key.text).kind;
  };
  const started = keys.start();
  expect(await answer(0, [key.record])).toBe('valid');
  await started;
  time.advance(keyRingBounds.refreshMs);
  time.advance(5000);
  expect(await answer(1, [key.record])).toBe('unread');
  // two at once: the one that began first comes last and is not believed
  time.advance(250);
  void keys.refresh();
  expect(await answer(3, [{ ...key.record, revokedMs: 1 }])).toBe('invalid');
  expect(await answer(2, [key.record])).toBe('invalid');
  keys.stop();
});

test('the last use of a key is handed over at most once a minute, and at the end (P6.5)', async () => {
  const time = manualTime(0);
  const key = record();
  const { ring: keys, uses } = ring({ records: [key.record], time });
  await keys.start();
  for (let second = 0; second < 130; second += 1) {
    keys.check(key.text);
    time.advance(1000);
    await settled();
  }
  expect(uses).toEqual([
    [{ keyId: key.record.keyId, atMs: 64_000 }],
    [{ keyId: key.record.keyId, atMs: 124_000 }],
  ]);
  keys.check(key.text);
  keys.stop();
  expect(uses.at(-1)).toEqual([{ keyId: key.record.keyId, atMs: 130_000 }]);
});

test('wrong keys leave no trace of use', async () => {
  const key = record();
  const { ring: keys, uses } = ring({ records: [key.record] });
  await keys.start();
  keys.check(wrongSecret(key.text));
  keys.check(issueApiKey().text);
  keys.stop();
  expect(uses).toEqual([]);
});

test('nothing is read after the stop', async () => {
  const time = manualTime();
  const { ring: keys, state } = ring({ records: [], time });
  await keys.start();
  keys.stop();
  time.advance(60_000);
  await settled();
  expect(state.reads).toBe(1);
});
