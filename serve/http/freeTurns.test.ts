import { describe, expect, it } from 'vitest';
import { freeTurns } from './inFlight.ts';

/** A loop by hand: `turn` lets it read its sockets and go on; each piece of work takes the milliseconds it states. */
function loop() {
  let nowMs = 0;
  let tasks: (() => void)[] = [];
  const done: string[] = [];
  const freeTurn = freeTurns({ monotonicMs: () => nowMs, defer: (task) => void tasks.push(task) });
  return {
    done,
    freeTurn,
    work: (name: string, ms: number) => async () => {
      nowMs += ms;
      done.push(name);
      return name;
    },
    turn: async () => {
      const now = tasks;
      tasks = [];
      for (const task of now) task();
      // what ends without a read ends within its turn
      await new Promise((resolve) => setImmediate(resolve));
      return tasks.length;
    },
  };
}

describe('free requests that come together (I8.9)', () => {
  it('are answered at once while they are short', async () => {
    const { freeTurn, work, turn, done } = loop();
    for (const name of ['a', 'b', 'c']) expect(await freeTurn(work(name, 0.3))).toBe(name);
    expect(done).toEqual(['a', 'b', 'c']);
    expect(await turn()).toBe(0);
  });

  it('do not keep the loop from a keyed read: each long one has a turn of its own', async () => {
    const { freeTurn, work, turn, done } = loop();
    const answers = ['a', 'b', 'c'].map((name) => freeTurn(work(name, 5)));
    expect(done).toEqual(['a']);
    await turn();
    expect(done).toEqual(['a', 'b']);
    await turn();
    expect(done).toEqual(['a', 'b', 'c']);
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c']);
    // nothing spins once the line is empty
    expect(await turn()).toBe(0);
  });

  it('stay in their order when short ones follow a long one', async () => {
    const { freeTurn, work, turn, done } = loop();
    for (const [name, ms] of [
      ['a', 5],
      ['b', 0.2],
      ['c', 0.2],
      ['d', 5],
      ['e', 0.2],
    ] as const)
      void freeTurn(work(name, ms));
    await turn();
    expect(done).toEqual(['a', 'b', 'c', 'd']);
    await turn();
    expect(done).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('wait a turn behind one that reads something, whose work cannot be seen yet, and no longer', async () => {
    const { freeTurn, work, turn, done } = loop();
    const read = Promise.withResolvers<string>();
    const first = freeTurn(() => read.promise);
    void freeTurn(() => read.promise);
    void freeTurn(work('next', 0));
    expect(done).toEqual([]);
    // the second one reads as well: the turn after its own begins the next
    await turn();
    expect(done).toEqual([]);
    await turn();
    expect(done).toEqual(['next']);
    read.resolve('read');
    expect(await first).toBe('read');
    expect(await turn()).toBe(0);
  });

  it('that fail in the line fail alone', async () => {
    const { freeTurn, work, turn } = loop();
    void freeTurn(work('long', 5));
    const failed = freeTurn(() => Promise.reject(new RangeError('no')));
    const after = freeTurn(work('after', 0));
    const outcomes = Promise.allSettled([failed, after]);
    await turn();
    expect(await outcomes).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 'after' }]);
  });
});
