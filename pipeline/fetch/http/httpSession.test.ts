import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { virtualClock } from '../../../fixtures/rigs/virtualClock.ts';
import { hostCooldown } from './hostCooldown.ts';
import { httpSession, tokenBucket } from './httpSession.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a session behind a proxy', () => {
  it.each([
    ['through the proxy the environment names', '', 'hello by proxy'],
    ['past it where NO_PROXY names the host', '127.0.0.1', 'hello'],
  ])('asks %s', async (_, noProxy, expected) => {
    const target = createServer((_request, response) => response.end('hello'));
    const asked: string[] = [];
    // plain http goes to a proxy as a whole address, https through CONNECT
    const proxy = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end('hello by proxy');
    });
    const listen = (server: typeof target) =>
      new Promise<number>((resolve) =>
        server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
      );
    const [at, by] = [await listen(target), await listen(proxy)];
    vi.stubEnv('http_proxy', `http://127.0.0.1:${by}`);
    vi.stubEnv('no_proxy', noProxy);
    const clock = virtualClock('2026-02-07T03:00:00Z');
    const session = httpSession({
      userAgent: 'test',
      bucket: tokenBucket({ ratePerSecond: 100, capacity: 10, clock }),
      cooldown: hostCooldown({ directory: join(tmpdir(), 'no-cooldown'), host: 'h', clock, advice: '' }),
      limits: { concurrency: 1, connectTimeoutMs: 5_000, headersTimeoutMs: 5_000, bodyIdleTimeoutMs: 5_000 },
    });
    try {
      const { status, body } = await session.get({
        url: `http://127.0.0.1:${at}/`,
        headers: {},
        withinMs: 10_000,
        signal: new AbortController().signal,
      });
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk);
      expect([status, Buffer.concat(chunks).toString()]).toEqual([200, expected]);
      expect(asked).toEqual(expected === 'hello' ? [] : [`http://127.0.0.1:${at}/`]);
    } finally {
      await session.close();
      for (const server of [target, proxy]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    }
  });
});
