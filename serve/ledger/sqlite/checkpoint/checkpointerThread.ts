import { parentPort, workerData } from 'node:worker_threads';
import { serveCheckpointer } from './backgroundCheckpoint.ts';

if (parentPort !== null)
  serveCheckpointer({ port: parentPort, path: String((workerData as { path: unknown }).path) });
