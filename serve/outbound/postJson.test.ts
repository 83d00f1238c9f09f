import { createServer, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type JsonClient, jsonClient } from './postJson.ts';

// P2.35 and P2.39: one origin, a bounded pool, bounded answers, one time limit for the whole call.

let answer: (response: ServerResponse) => void;
let seen: number;
let client: JsonClient;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    seen += 1;
    answer(response);
  });
});

beforeEach(async () => {
  seen = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  client = jsonClient({ baseUrl: `http://127.0.0.1:${port}/pay`, nowMs: () => 0 });
});

afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const call = (timeoutMs = 5000) => client.call({ method: 'POST', path: '/settle', body: '{}', timeoutMs });

test('an answer is its status and its JSON; what is no JSON or coded is undefined', async () => {
  answer = (response) => response.writeHead(402).end('{"a":[1]}');
  expect(await call()).toEqual({ kind: 'answer', status: 402, json: { a: [1] } });
  answer = (response) => response.end('{"a":');
  expect(await call()).toEqual({ kind: 'answer', status: 200, json: undefined });
  answer = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('{}');
  expect(await call()).toEqual({ kind: 'answer', status: 200, json: undefined });
});

test('an answer that breaks off or grows over 64 KiB is broken', async () => {
  answer = (response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('{"a"', () => response.destroy());
  };
  expect(await call()).toMatchObject({ kind: 'broken' });
  answer = (response) => response.end('1'.repeat(64 * 1024 + 1));
  expect(await call()).toEqual({ kind: 'broken', reason: 'answer_too_large' });
  answer = (response) => response.end('1'.repeat(15));
  expect(await call()).toMatchObject({ kind: 'answer', status: 200 });
});

test('a call that waits for a free connection until its time is over is never sent', async () => {
  const held: ServerResponse[] = [];
  const all = Promise.withResolvers<void>();
  answer = (response) => {
    if (held.push(response) === 32) all.resolve();
  };
  const others = Array.from({ length: 32 }, () => call());
  await all.promise;
  expect(await call(20)).toEqual({ kind: 'broken', reason: 'TimeoutError' });
  answer = (response) => response.end('"later"');
  for (const response of held) response.end('"first"');
  for (const one of await Promise.all(others)) expect(one).toMatchObject({ json: 'first' });
  expect(await call()).toMatchObject({ json: 'later' });
  expect(seen).toBe(33);
});

test('a refused connection is unreachable: no byte was written', async () => {
  await new Promise((resolve) => server.close(resolve));
  expect(await call()).toMatchObject({ kind: 'unreachable', reason: 'ECONNREFUSED' });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
