import { parentPort, workerData } from 'node:worker_threads';
import { threadCheckpointer } from '../checkpoint/backgroundCheckpoint.ts';
import { serveWriter } from './serveWriter.ts';

const { path } = workerData as { readonly path: string };
if (parentPort !== null)
  serveWriter({ port: parentPort, path, checkpointer: { spawn: threadCheckpointer(path) } });
