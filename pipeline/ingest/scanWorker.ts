import { parentPort, workerData } from 'node:worker_threads';
import { BatchReader, type ScanOrder } from './scanBatch.ts';

const port = parentPort;
if (port === null) throw new Error('scanWorker.ts runs as a worker thread');
const reader = new BatchReader((workerData as { archivePath: string }).archivePath);

port.on('message', (order: ScanOrder) => {
  const answer = reader.read(order);
  port.postMessage(answer, [...answer.pages]);
});
