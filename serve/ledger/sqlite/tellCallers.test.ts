import { expect, test } from 'vitest';
import type { Waiting } from './operationQueue.ts';
import { tellCallers } from './tellCallers.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

function crowd(size: number, name: string, heard: string[]): Waiting[] {
  return Array.from({ length: size }, (_, n) => ({
    operation: { kind: 'revoke_key', keyId: name, atMs: n, as: 'operator:ada' } as Waiting['operation'],
    sinceMs: 0,
    caller: {
      resolve: (value) => heard.push(`${name} ${n} ${String(value)}`),
      reject: (error) => heard.push(`${name} ${n} ${error.message}`),
    },
  }));
}

test('a crowd hears of its commit eight a turn, so that other requests come between', async () => {
  const heard: string[] = [];
  const callers = tellCallers();
  callers.committed(crowd(20, 'a', heard), []);
  const counts = [heard.length];
  while (heard.length < 20) {
    await turn();
    counts.push(heard.length);
  }
  expect(counts.filter((count, i) => count !== counts[i - 1])).toEqual([8, 16, 20]);
  expect(heard).toEqual(Array.from({ length: 20 }, (_, n) => `a ${n} stored`));
});

test('callers of a later commit hear after those of an earlier one, each its own result', async () => {
  const heard: string[] = [];
  const callers = tellCallers();
  callers.committed(crowd(9, 'a', heard), []);
  callers.committed(crowd(2, 'b', heard), [
    { ok: true, value: 'revoked' },
    { ok: false, code: 787, message: 'FOREIGN KEY constraint failed' },
  ]);
  expect(heard).toHaveLength(8);
  await turn();
  await turn();
  expect(heard.slice(8)).toEqual([
    'a 8 stored',
    'b 0 revoked',
    'b 1 the ledger refused revoke_key: FOREIGN KEY constraint failed',
  ]);
});

test('the rest can be told at once, and nobody hears twice', async () => {
  const heard: string[] = [];
  const callers = tellCallers();
  callers.committed(crowd(30, 'a', heard), []);
  callers.rest();
  expect(heard).toHaveLength(30);
  await turn();
  callers.committed(crowd(1, 'b', heard), []);
  expect(heard.slice(30)).toEqual(['b 0 stored']);
});

test('operations nobody waits for are no callers', () => {
  const heard: string[] = [];
  const callers = tellCallers();
  const handedOver = crowd(100, 'a', heard).map((entry) => ({ ...entry, caller: null }));
  callers.committed([...handedOver, ...crowd(1, 'b', heard)], []);
  expect(heard).toEqual(['b 0 stored']);
});
