import { parentPort, workerData } from 'node:worker_threads';
import { sqliteFigures } from './sqliteFigures.ts';

if (parentPort !== null) parentPort.postMessage(sqliteFigures(workerData as { path: string; nowMs: number }));
