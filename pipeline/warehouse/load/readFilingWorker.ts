import { parentPort } from 'node:worker_threads';
import type { ListedFiling } from '../../source/filingSources.ts';
import { readHere } from './filingPool.ts';

const port = parentPort;
if (port === null) throw new Error('readFilingWorker.ts runs as a worker thread');

// one at a time, so that rows come in the order of the filings
let last = Promise.resolve();
port.on('message', (filing: ListedFiling) => {
  last = last.then(async () => port.postMessage(await readHere(filing)));
});
