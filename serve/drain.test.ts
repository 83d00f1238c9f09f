import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type ListeningProcess, listeningProcess } from '../fixtures/rigs/listeningProcess.ts';

const drainMs = 1000;
const sockets: Socket[] = [];
let server: ListeningProcess | undefined;

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.kill();
});

/** A client that sends requests without end and reads no answer. */
function pour({ port }: ListeningProcess, text: string): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.pause();
  socket.on('error', () => {});
  // one write at a time: the client must stay able to see the server end
  const write = (): void => {
    if (!socket.destroyed) socket.write(text, () => setImmediate(write));
  };
  socket.once('connect', write);
  return socket;
}

/** Resolves when every client has sent so many bytes. */
async function poured(bytes: number): Promise<void> {
  while (sockets.some(({ bytesWritten }) => bytesWritten < bytes)) await new Promise(setImmediate);
}

describe('a drain under a flood of requests sent ahead of answers that nobody reads', () => {
  it.each([
    ['large answers', '/v1/covenant-stress/MSTR'],
    ['small answers', '/health'],
  ])('ends the process within its time: %s (I9.34)', async (_, path) => {
    server = await listeningProcess({ files: 1024, bounded: true, drainMs });
    const line = `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Api-Key: ${server.key}\r\n\r\n`;
    for (let i = 0; i < 8; i += 1) pour(server, line.repeat(200));
    await poured(3 * 1024 * 1024);
    // answers without a reader are never sent: a server that waits for them would not end at all
    expect((await server.stop()).code).toBe(0);
  });
});
