/** What is needed of a thread that answers messages: a worker, or a port to one that serves several. */
export type WorkerThread<Answer, Asked> = {
  on(event: 'message', listener: (message: Answer) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  postMessage(message: Asked): void;
  terminate(): Promise<unknown>;
};
