import { describe, expect, it } from 'vitest';
import { freeTurns } from './freeTurns.ts';

/** A loop by hand: `turn` lets it read its sockets and go on; each piece of work takes the milliseconds it states. */
function loop() {
  let nowMs = 0;
  let tasks: (() => void)[] = [];
  const done: string[] = [];
  const freeTurn = freeTurns({ monotonicMs: () => nowMs, defer: (task) => void tasks.push(task) });
  return {
    done,
    freeTurn,
    work: (name: string, ms: number) => () => {
      nowMs += ms;
      done.push(name);
      return name;
    },
    turn: () => {
      const now = tasks;
      tasks = [];
      for (const task of now) task();
      return tasks.length;
    },
  };
}

describe('free requests that come together (I8.9)', () => {
  it('are answered at once while they are short', () => {
    const { freeTurn, work, turn } = loop();
    expect(['a', 'b', 'c'].map((name) => freeTurn(work(name, 0.3)))).toEqual(['a', 'b', 'c']);
    expect(turn()).toBe(0);
  });

  it('do not keep the loop from a keyed read: each long one has a turn of its own', async () => {
    const { freeTurn, work, turn, done } = loop();
    const answers = ['a', 'b', 'c'].map((name) => freeTurn(work(name, 5)));
    expect(done).toEqual(['a']);
    turn();
    expect(done).toEqual(['a', 'b']);
    turn();
    expect(done).toEqual(['a', 'b', 'c']);
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c']);
    // nothing spins once the line is empty
    expect(turn()).toBe(0);
  });

  it('stay in their order when short ones follow a long one', () => {
    const { freeTurn, work, turn, done } = loop();
    for (const [name, ms] of [
      ['a', 5],
      ['b', 0.2],
      ['c', 0.2],
      ['d', 5],
      ['e', 0.2],
    ] as const)
      void freeTurn(work(name, ms));
    turn();
    expect(done).toEqual(['a', 'b', 'c', 'd']);
    turn();
    expect(done).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('wait behind one that reads something, whose work cannot be seen yet', () => {
    const { freeTurn, work, turn, done } = loop();
    void freeTurn(() => Promise.resolve('read'));
    void freeTurn(work('next', 0));
    expect(done).toEqual([]);
    turn();
    expect(done).toEqual(['next']);
  });

  it('that fail in the line fail alone', async () => {
    const { freeTurn, work, turn } = loop();
    void freeTurn(work('long', 5));
    const failed = freeTurn(() => {
      throw new RangeError('no');
    });
    const after = freeTurn(work('after', 0));
    turn();
    await expect(failed).rejects.toThrow('no');
    expect(await after).toBe('after');
  });
});
