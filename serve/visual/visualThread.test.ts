import { afterEach, describe, expect, it } from 'vitest';
import { scriptedThread } from '../../fixtures/rigs/scriptedThread.ts';
import type { VisualCall } from './visualCall.ts';
import { visualBounds, visualThread } from './visualThread.ts';

let close = async (): Promise<void> => {};
afterEach(() => close());

const callOf = (owner: string): VisualCall => ({
  tool: 'visual_diagram_validate',
  args: { contract: {} },
  owner,
  nowMs: 0,
  ulid: '01KGVRPH80Z212B2NBDCWCJZ12',
});
/** A render of so many nodes. */
const renderOf = (owner: string, nodes: number): VisualCall => ({
  ...callOf(owner),
  tool: 'visual_diagram_render',
  args: { contract: { nodes: Array.from({ length: nodes }, () => ({})) } },
});
const stays = () => false;

/** A thread that runs this text instead of the tools. */
function thread(source: string) {
  const script = scriptedThread(source);
  const visual = visualThread(script);
  close = visual.close;
  return { ...script, ...visual };
}
const answering = (id: string) =>
  `parentPort.postMessage({ id: ${id}, argumentsSha256: 'ab', reply: { kind: 'unknown', receiptId: String(${id}) } })`;
const overloaded = (why: string) => ({ reply: { kind: 'overloaded', why }, argumentsSha256: '' });

describe('the thread of the visual tools (V69)', () => {
  it('answers calls one after the other', async () => {
    const visual = thread(`parentPort.on('message', ({ id }) => ${answering('id')})`);
    const turns = await Promise.all(['A', 'B', 'A'].map((owner) => visual.ask(callOf(owner), stays)));
    expect(turns.map(({ reply }) => reply)).toEqual(
      ['1', '2', '3'].map((receiptId) => ({ kind: 'unknown', receiptId })),
    );
    expect(visual.waits).toEqual([]);
  });

  it('takes one call with it when it dies, and the next one has a new thread', async () => {
    const visual = thread(
      `parentPort.on('message', ({ id }) => id === 1 ? process.exit(1) : ${answering('id')})`,
    );
    const [first, second] = await Promise.all([
      visual.ask(callOf('A'), stays),
      visual.ask(callOf('B'), stays),
    ]);
    expect(first).toEqual(overloaded('died'));
    expect(second.reply).toEqual({ kind: 'unknown', receiptId: '2' });
  });

  it('is ended when a call takes longer than its time', async () => {
    const visual = thread(`parentPort.on('message', ({ id }) => { if (id > 1) ${answering('id')} })`);
    const late = visual.ask(callOf('A'), stays);
    const next = visual.ask(callOf('A'), stays);
    expect(visual.waits.map(({ ms }) => ms)).toEqual([visualBounds.runMs]);
    visual.waits[0]?.task();
    expect(await late).toEqual(overloaded('too_long'));
    expect((await next).reply).toEqual({ kind: 'unknown', receiptId: '2' });
    expect(visual.events).toEqual(['visual_worker_late']);
  });

  it('has a bounded queue, of which no owner takes all', async () => {
    const visual = thread(`parentPort.on('message', () => {})`);
    const ask = (owner: string) => visual.ask(callOf(owner), stays);
    // one runs, four wait, however many threads have nothing to do
    const own = Array.from({ length: 1 + visualBounds.waitingOfOwner }, () => ask('A'));
    expect(await ask('A')).toEqual(overloaded('queue_full'));
    // the first of them has the other thread
    const others = Array.from({ length: 1 + visualBounds.waiting - visualBounds.waitingOfOwner }, (_, i) =>
      ask(`B${i}`),
    );
    expect(await ask('C')).toEqual(overloaded('queue_full'));
    await visual.close();
    expect(await Promise.all([...own, ...others])).toEqual(
      Array.from({ length: 18 }, () => overloaded('died')),
    );
  });

  it('lets no key starve another: who used least time is next, on a thread that is free', async () => {
    const visual = thread(
      `parentPort.on('message', ({ id, call }) => { if (call.owner !== 'A') ${answering('id')} })`,
    );
    // all that A may have in line, and its pictures take all their time
    const own = Array.from({ length: 1 + visualBounds.waitingOfOwner }, () => visual.ask(callOf('A'), stays));
    const others = ['B', 'B', 'C'].map((owner) => visual.ask(callOf(owner), stays));
    expect((await Promise.all(others)).map(({ reply }) => reply)).toEqual(
      // B began, then C was next although B had asked twice before it
      ['2', '4', '3'].map((receiptId) => ({ kind: 'unknown', receiptId })),
    );
    expect(visual.waits).toHaveLength(1);
    await visual.close();
    expect(await Promise.all(own)).toEqual(own.map(() => overloaded('died')));
  });

  /** Answers what is quick and the pictures of some keys; every other picture takes all its time. */
  const slowBut = (...owners: string[]) =>
    thread(
      `parentPort.on('message', ({ id, call }) => {
        if (call.tool !== 'visual_diagram_render' || ${JSON.stringify(owners)}.includes(call.owner)) ${answering('id')}
      })`,
    );

  it('keeps a thread for what is quick: large pictures of any number of keys have the other', async () => {
    const visual = slowBut();
    const large = ['A', 'B', 'C'].map((owner) => visual.ask(renderOf(owner, 151), stays));
    const turns = await Promise.all(['D', 'B'].map((owner) => visual.ask(callOf(owner), stays)));
    expect(turns.map(({ reply }) => reply)).toEqual([
      { kind: 'unknown', receiptId: '2' },
      { kind: 'unknown', receiptId: '3' },
    ]);
    // the picture of A alone was begun
    expect(visual.waits).toHaveLength(1);
    // a small one is quick, although it may turn out not to be
    void visual.ask(renderOf('E', 150), stays);
    expect(visual.waits).toHaveLength(2);
    await visual.close();
    expect(await Promise.all(large)).toEqual(large.map(() => overloaded('died')));
  });

  it('gives the next turn to who used least time, whoever asked first', async () => {
    const visual = slowBut('C');
    const long = visual.ask(renderOf('A', 200), stays);
    visual.pass(9_000);
    visual.waits[0]?.task();
    expect(await long).toEqual(overloaded('too_long'));
    const others = ['B', 'A', 'C'].map((owner) => visual.ask(renderOf(owner, 200), stays));
    visual.pass(5_000);
    visual.waits[0]?.task();
    // B was second, C is third, and A waits
    expect((await others[2])?.reply).toEqual({ kind: 'unknown', receiptId: '3' });
    visual.pass(90_000);
    // what A had is forgotten by now: it is begun
    expect(visual.waits).toHaveLength(1);
    await visual.close();
  });

  it('lets a key that used less into a full queue, in the last place of the one that used most', async () => {
    const visual = slowBut();
    const own = Array.from({ length: 1 + visualBounds.waitingOfOwner }, () =>
      visual.ask(renderOf('A', 200), stays),
    );
    for (let i = visualBounds.waitingOfOwner; i < visualBounds.waiting; i++)
      void visual.ask(renderOf(`B${i}`, 200), stays);
    expect(await visual.ask(renderOf('C', 200), stays)).toEqual(overloaded('queue_full'));
    visual.pass(1_000);
    const late = visual.ask(renderOf('C', 200), stays);
    expect(await own.at(-1)).toEqual(overloaded('queue_full'));
    // and what used most gets no place of those that used less
    expect(await visual.ask(renderOf('A', 200), stays)).toEqual(overloaded('queue_full'));
    await visual.close();
    expect(await late).toEqual(overloaded('died'));
  });

  it('gives the places of clients that left to those that ask', async () => {
    const visual = thread(`parentPort.on('message', () => {})`);
    let left = false;
    void visual.ask(callOf('A'), stays);
    const waiting = Array.from({ length: visualBounds.waitingOfOwner }, () =>
      visual.ask(callOf('A'), () => left),
    );
    left = true;
    const next = visual.ask(callOf('A'), stays);
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => overloaded('client_gone')));
    await visual.close();
    expect(await next).toEqual(overloaded('died'));
  });

  it('refuses what is asked after it was closed, and starts no other', async () => {
    const visual = thread(`parentPort.on('message', ({ id }) => ${answering('id')})`);
    await visual.close();
    expect(await visual.ask(callOf('A'), stays)).toEqual(overloaded('died'));
  });

  it('does not begin what its caller no longer waits for', async () => {
    const visual = thread(`parentPort.on('message', ({ id }) => ${answering('id')})`);
    const [, gone, last] = await Promise.all([
      visual.ask(callOf('A'), stays),
      visual.ask(callOf('B'), () => true),
      visual.ask(callOf('C'), stays),
    ]);
    expect(gone).toEqual(overloaded('client_gone'));
    expect(last.reply).toEqual({ kind: 'unknown', receiptId: '2' });
  });

  it('is told of in the log once a call when it cannot be loaded, and the call is refused', async () => {
    const visual = thread(`throw new Error('no tools')`);
    // each call also starts the other thread ahead, in vain
    expect(await visual.ask(callOf('A'), stays)).toEqual(overloaded('died'));
    expect(await visual.ask(callOf('A'), stays)).toEqual(overloaded('died'));
    await visual.close();
    expect(visual.events).toEqual(['visual_worker_failed', 'visual_worker_failed']);
  });
});
