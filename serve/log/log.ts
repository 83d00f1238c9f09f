import { type DestinationStream, type Logger, pino } from 'pino';

/** Where finished log lines go. */
export type LogSink = { write(line: string): void };

/**
 * JSON lines without secrets: whatever looks like a credential is replaced in every line, and control characters
 * reach the sink escaped only (I9.32, P6.7, S16, S17).
 */
export function createLog({ sink, level }: { sink: LogSink; level: 'info' | 'warn' | 'silent' }): Logger {
  const stream: DestinationStream = { write: (line) => sink.write(cleanLine(line)) };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}

const suspicious = /iik_|ii1\.|[\u007f-\u009f\u2028\u2029]/;

/** A finished line without credentials and without control characters that pino leaves raw (P6.7, S17). */
export function cleanLine(line: string): string {
  // pino escapes U+0000–U+001F; terminals also obey C1 controls, DEL and the two line separators.
  // nearly every line is clean, and one test costs less than three replacements
  if (!suspicious.test(line)) return line;
  return redactLine(line).replaceAll(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

// a secret ends where its JSON string ends, so that the line stays JSON
function redactLine(line: string): string {
  return line
    .replaceAll(/iik_([A-Z2-7]{10})_[^\s"\\]+/g, 'apikey:$1')
    .replaceAll(/ii1\.[^\s"\\]+/g, 'ii1.redacted');
}
