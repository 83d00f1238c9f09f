import type { MessagePort } from 'node:worker_threads';
import type { FromWorker, MppLibrary, ToWorker } from './mppLibrary.ts';

/** Answers what comes through a port with the payment library, each call by its number. */
export function answerCalls(
  port: Pick<MessagePort, 'on' | 'postMessage'>,
  library: Pick<MppLibrary, 'validate' | 'broadcast'>,
): void {
  port.on('message', async (message: ToWorker) => {
    const { id, kind } = message;
    const answer =
      message.kind === 'validate'
        ? await library.validate(message.call)
        : await library.broadcast(message.call);
    port.postMessage({ id, kind, answer } as FromWorker);
  });
}
