import { parentPort, workerData } from 'node:worker_threads';
import { chargeLibrary } from './chargeLibrary.ts';
import type { WorkerSettings } from './mppLibrary.ts';
import { answerCalls } from './mppThread.ts';

// the thread that alone loads the payment library (P4.11, P4.17)

if (parentPort !== null) answerCalls(parentPort, chargeLibrary(workerData as WorkerSettings));
