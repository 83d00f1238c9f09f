import { parentPort, workerData } from 'node:worker_threads';
import { serveWriter } from './serveWriter.ts';

if (parentPort !== null)
  serveWriter({ port: parentPort, path: String((workerData as { path: unknown }).path) });
