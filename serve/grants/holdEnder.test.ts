import { beforeEach, describe, expect, it } from 'vitest';
import { holdEnder } from './grantRail.ts';

let writes: string[];
let away: number;
let timers: { readonly ms: number; readonly task: () => void }[];
let told: unknown[][];

beforeEach(() => {
  writes = [];
  away = 0;
  timers = [];
  told = [];
});

const end = holdEnder({
  ledger: {
    async endHold(debitId, to) {
      if (away > 0) {
        away -= 1;
        throw new Error('the database is away');
      }
      writes.push(`${debitId} ${to}`);
      return true;
    },
  },
  time: {
    nowMs: () => 0,
    after(ms, task) {
      timers.push({ ms, task });
      return () => {};
    },
  },
  log: ({ event, fields }) => told.push([event, fields?.['to'], fields?.['attempt']]),
});
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Lets every wait end, one after the other; how long was waited in all. */
const waitsEnd = async (): Promise<number> => {
  await settled();
  let waitedMs = 0;
  for (let next = timers.shift(); next !== undefined; next = timers.shift()) {
    waitedMs += next.ms;
    next.task();
    await settled();
  }
  return waitedMs;
};

describe('the end of a hold', () => {
  it('is written once while the ledger takes it', async () => {
    end('dbt_1', 'debited');
    end('dbt_2', 'released');
    expect(await waitsEnd()).toBe(0);
    expect(writes).toEqual(['dbt_1 debited', 'dbt_2 released']);
    expect(told).toEqual([]);
  });

  it('debits what was delivered while the database was away for three seconds', async () => {
    away = 3;
    end('dbt_1', 'debited');
    expect(await waitsEnd()).toBe(3_000);
    expect(writes).toEqual(['dbt_1 debited']);
    expect(told).toEqual([0, 1, 2].map((attempt) => ['grant_hold_not_ended', 'debited', attempt]));
  });

  it('gives up with the hold, which the sweep gives back after 60 s', async () => {
    away = Number.POSITIVE_INFINITY;
    end('dbt_1', 'debited');
    expect(await waitsEnd()).toBe(59_000);
    expect(writes).toEqual([]);
  });

  it('leaves a release to the sweep', async () => {
    away = 1;
    end('dbt_1', 'released');
    expect(await waitsEnd()).toBe(0);
    expect([writes, told]).toEqual([[], [['grant_hold_not_ended', 'released', 0]]]);
  });
});
