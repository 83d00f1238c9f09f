import { parentPort, workerData } from 'node:worker_threads';
import { serveWriter } from './serveWriter.ts';
import { threadCheckpointer } from './spawnCheckpointer.ts';

const { path } = workerData as { readonly path: string };
if (parentPort !== null)
  serveWriter({ port: parentPort, path, checkpointer: { spawn: threadCheckpointer(path) } });
