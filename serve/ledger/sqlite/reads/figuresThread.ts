import { parentPort, workerData } from 'node:worker_threads';
import { figures } from '../../reads/figures.ts';
import { inSnapshot } from './sqliteBooks.ts';

const { path, nowMs } = workerData as { readonly path: string; readonly nowMs: number };
parentPort?.postMessage(inSnapshot(path, () => figures(nowMs)));
