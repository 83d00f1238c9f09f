import { parentPort, workerData } from 'node:worker_threads';
import { chargeLibrary } from './chargeLibrary.ts';
import type { ToWorker, WorkerSettings } from './mppLibrary.ts';

// the thread that alone loads the payment library (P4.11, P4.17)

const library = chargeLibrary(workerData as WorkerSettings);

parentPort?.on('message', async (message: ToWorker) => {
  const { id, kind } = message;
  const answer =
    message.kind === 'validate'
      ? await library.validate(message.call)
      : await library.broadcast(message.call);
  parentPort?.postMessage({ id, kind, answer });
});
