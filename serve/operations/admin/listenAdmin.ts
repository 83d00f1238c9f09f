import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { IssuerError } from '../../../data/contract/errors/issuerError.ts';
import type { adminAnswerer } from './adminAnswer.ts';

/** The listener of metrics and the operations page, never public (P0.6). */
export type AdminListener = { readonly host: string; readonly port: number; close(): Promise<void> };

const limits = { headerBytes: 8192, headersMs: 5000, requestMs: 10_000, connections: 64 } as const;

/**
 * Listens on `II_ADMIN_LISTEN`; resolves when the socket does.
 *
 * @throws IssuerError `configuration` when the address cannot be bound.
 */
export async function listenAdmin({
  host,
  port,
  answer,
  reportDefect,
}: {
  host: string;
  port: number;
  answer: ReturnType<typeof adminAnswerer>;
  reportDefect(error: unknown): void;
}): Promise<AdminListener> {
  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const { status, headers: sent, body } = await answer({ method, target: url, host: headers.host });
    response.writeHead(status, { ...sent, 'Content-Length': String(Buffer.byteLength(body)) });
    response.end(method === 'HEAD' ? undefined : body);
  }

  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
    },
    (request, response) => {
      exchange(request, response).catch((error: unknown) => {
        reportDefect(error);
        response.destroy();
      });
    },
  );
  server.maxConnections = limits.connections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        new IssuerError({
          code: 'configuration',
          message: `II_ADMIN_LISTEN ${host}:${port} cannot be bound: ${cause.code ?? 'error'}.`,
          hint: 'Choose a free port of this machine.',
          details: { variable: 'II_ADMIN_LISTEN' },
          cause,
        }),
      );
    });
    server.listen(port, host, resolve);
  });
  return {
    host,
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
