/** Header lines by lower-case name, with every line (P1.7). */
export type HeaderLists = Readonly<Record<string, readonly string[] | undefined>>;

/** One request as the transport hands it over; nothing of it is trusted. */
export type Incoming = {
  readonly method: string;
  /** Request target as received: path and query, still percent-encoded. */
  readonly target: string;
  readonly headers: HeaderLists;
  /** Body bytes, empty when there is none. */
  readonly body: Uint8Array;
  /** Address the limits of I8.3 are counted for. */
  readonly clientAddress: string;
  /** False when payment headers would travel in the clear (I9.33). */
  readonly secureTransport: boolean;
  /** True once the client has closed its connection (P1.13). */
  clientGone(): boolean;
};

/** How an answer ended on the wire (P1.14). */
export type Delivery = 'delivered' | 'partial' | 'undelivered';

/** What the log says of one request (I9.32). */
export type RequestRecord = {
  readonly requestId: string;
  readonly route: string | null;
  readonly code: string | null;
  readonly receiptId: string | null;
  readonly apiKeyId: string | null;
};

/** One answer, complete before its first byte is sent. */
export type Outgoing = {
  readonly status: number;
  /** Flat list: name, value, name, value. */
  readonly headers: readonly string[];
  /** Chunks in order; empty for HEAD, 204 and 304. */
  readonly body: readonly Uint8Array[];
  readonly record: RequestRecord;
  /** Called exactly once when the connection is through with the answer (P1.14); `serverFault`: we broke it off. */
  done(delivery: Delivery, serverFault?: boolean): void;
};
