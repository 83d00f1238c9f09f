/** Stored bytes that cannot be relied on; the message completes "… cannot be served: ". */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}
