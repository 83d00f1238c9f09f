import { utimesSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { limitMs } from '../fixtures/checks/machinePace.ts';
import { type ListeningProcess, listeningProcess } from '../fixtures/rigs/listeningProcess.ts';
import { connectionBound, mostConnections } from './http/inFlight.ts';

const sockets: Socket[] = [];
const agents: Agent[] = [];
let server: ListeningProcess | undefined;

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const agent of agents.splice(0)) agent.destroy();
  server?.kill();
});

type Reply = { status: number; json: Record<string, unknown> };

/** Asks over one connection that stays open. */
function client({ port, key }: ListeningProcess): (path: string) => Promise<Reply> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return (path) =>
    new Promise((resolve, reject) => {
      const headers = { 'x-api-key': key };
      const sent = request({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const json = JSON.parse(Buffer.concat(chunks).toString());
          resolve({ status: response.statusCode ?? 0, json });
        });
      });
      sent.on('error', reject);
      sent.end();
    });
}

/** Opens connections that ask nothing; those the server cannot hold are closed by it. */
async function flood({ port }: ListeningProcess, count: number): Promise<Socket[]> {
  const opened = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  sockets.push(...opened);
  for (const socket of opened) socket.on('error', () => {});
  await Promise.all(
    opened.map(
      (socket) =>
        new Promise((resolve) => {
          socket.once('connect', resolve);
          socket.once('close', resolve);
        }),
    ),
  );
  return opened;
}

async function until(reached: () => Promise<boolean>): Promise<void> {
  // what is never reached ends at the time of the test
  while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 50));
}

const stress = '/v1/covenant-stress/MSTR';

describe.skipIf(process.platform !== 'linux')('a server whose descriptors are used up', () => {
  it('answers 503 overloaded, keeps its release, marks nothing as damaged, and recovers by itself (I4.9)', async () => {
    server = await listeningProcess({ files: 64, bounded: false, drainMs: limitMs(500) });
    const ask = client(server);
    expect((await ask('/ready')).status).toBe(200);
    const opened = await flood(server, 100);
    for (const socket of opened) socket.resume();
    // a connection is open for its client before the server has a descriptor for it; one that it closes had none left
    await until(async () => opened.some(({ closed }) => closed));
    // the pointers look new, and cannot be read
    utimesSync(join(server.artifacts, 'current'), 1, 1);
    const refused = await ask(stress);
    expect([refused.status, refused.json['code']]).toEqual([503, 'overloaded']);
    const ready = await ask('/ready');
    expect([ready.status, (ready.json['checks'] as Record<string, unknown>)['artifact_store']]).toEqual([
      200,
      { status: 'ok', detail: null },
    ]);
    for (const socket of opened) socket.destroy();
    await until(async () => (await ask(stress)).status === 200);
    expect(await server.stop()).toEqual({ code: 0, dropped: 0, alerts: 0, faults: 0 });
  });

  it('never comes to that with its bound on connections: it closes those above, counts them and goes on', async () => {
    server = await listeningProcess({ files: 64, bounded: true, drainMs: limitMs(500) });
    const ask = client(server);
    expect((await ask('/ready')).status).toBe(200);
    const opened = await flood(server, 100);
    for (const socket of opened) socket.resume();
    // 32 of 64 are for connections, and one of these asks
    await until(async () => opened.filter(({ closed }) => closed).length === 69);
    expect((await ask(stress)).status).toBe(200);
    expect(await server.stop()).toEqual({ code: 0, dropped: 69, alerts: 1, faults: 0 });
  });
});

describe('the bound on connections', () => {
  const limits = (soft: string) =>
    `Limit                     Soft Limit           Hard Limit           Units     \nMax open files            ${soft.padEnd(20)} 1048576              files     \n`;

  it.each([
    [limits('65536'), 65_280],
    [limits('1024'), 768],
    [limits('64'), 32],
    [limits('1'), 1],
    [limits('unlimited'), Number.POSITIVE_INFINITY],
    ['', Number.POSITIVE_INFINITY],
  ])('is what the soft limit leaves beside files and ledger', (text, most) => {
    expect(mostConnections(text)).toBe(most);
  });

  it('counts every dropped connection and tells of them once a minute', () => {
    let nowMs = 0;
    let counted = 0;
    const told: unknown[] = [];
    const { dropped } = connectionBound({
      most: 7,
      count: () => (counted += 1),
      tell: (dropped) => told.push(dropped),
      nowMs: () => nowMs,
    });
    for (nowMs of [0, 1, 59_999, 60_000]) dropped();
    expect(counted).toBe(4);
    expect(told).toEqual([1, 3]);
  });
});
