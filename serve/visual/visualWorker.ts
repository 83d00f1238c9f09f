import { hash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { type CanonicalValue, canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { openRenderKey, type RenderKey, type RenderStore, renderStore } from './renderStore.ts';
import type { FromVisualThread, ToVisualThread } from './visualCall.ts';
import { visualDesk } from './visualDesk.ts';

// the thread that alone lays out, draws and stores pictures (V69)

if (parentPort !== null) {
  const port = parentPort;
  const { directory } = workerData as { readonly directory: string };
  let store: RenderStore | null = null;
  let key: RenderKey | null = null;
  const desk = visualDesk({
    store: (nowMs) => (store ??= renderStore({ directory, nowMs })),
    key: () => (key ??= openRenderKey(directory)),
  });
  port.on('message', ({ id, call }: ToVisualThread) => {
    const reply = desk(call);
    const message: FromVisualThread = { id, reply, argumentsSha256: argumentsHash(call.args) };
    port.postMessage(message, reply.kind === 'answer' ? buffersOf(reply.answer) : []);
  });
}

function buffersOf({ content: { buffer, length } }: { content: Uint8Array }): ArrayBuffer[] {
  // a short buffer is part of a pool, which cannot be handed over
  return buffer instanceof ArrayBuffer && buffer.byteLength === length ? [buffer] : [];
}

// text that RFC 8785 cannot print is still the same text when it is sent again
function argumentsHash(args: object): string {
  try {
    return hash('sha256', canonicalJson(args as CanonicalValue), 'hex');
  } catch {
    return hash('sha256', JSON.stringify(args), 'hex');
  }
}
