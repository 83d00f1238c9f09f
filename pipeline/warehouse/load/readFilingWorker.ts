import { parentPort } from 'node:worker_threads';
import { answerTo } from './filingPool.ts';
import type { FilingOrder } from './readFilingRows.ts';

const port = parentPort;
if (port === null) throw new Error('readFilingWorker.ts runs as a worker thread');

// one at a time, so that answers come in the order of the questions
let last = Promise.resolve();
port.on('message', (order: FilingOrder) => {
  last = last.then(async () => port.postMessage(await answerTo(order)));
});
