import { canonicalJson } from '../../data/contract/values/canonicalJson.ts';
import { printable } from '../../data/contract/values/printable.ts';
import type { Clock, Log, LogEvent } from '../effects.ts';

type Sink = { write(text: string): void };

type RunLog = {
  readonly clock: Clock;
  readonly out: Sink;
  /** The most memory the process has held so far; said of each step that is done. */
  readonly peakMemoryBytes: () => number;
};

const redrawMs = 100;
const lineMs = 5_000;

/**
 * The log of a terminal: one line a step, counted work rerendered in place with rate and time left.
 *
 * Events with fields `done`, `total` and `unit`, or `bytes` and `size`, are progress.
 */
export function terminalLog({
  clock,
  out,
  colour,
  peakMemoryBytes,
}: RunLog & { readonly colour: boolean }): Log {
  let drawn = false;
  const meter = progressMeter(clock, redrawMs);
  return (event) => {
    const progress = meter(event);
    if (progress === 'wait') return;
    const clear = drawn ? '\r\u001b[2K' : '';
    const label = event.step.padEnd(8);
    if (progress !== null) {
      drawn = true;
      out.write(`${clear}  ${label} ${printable(progress)}`);
      return;
    }
    drawn = false;
    const memory = isDone(event) ? `, at most ${Math.round(peakMemoryBytes() / 1e6)} MB of memory` : '';
    out.write(`${clear}${mark(event, colour)} ${label} ${printable(event.message)}${memory}\n`);
  };
}

/** The log of a machine: one JSON object a line; progress at most every five seconds. */
export function jsonLog({ clock, out, peakMemoryBytes }: RunLog): Log {
  const meter = progressMeter(clock, lineMs);
  return (event) => {
    const progress = meter(event);
    if (progress === 'wait') return;
    const message = progress ?? event.message;
    const { level, step } = event;
    const fields = isDone(event) ? { ...event.fields, peak_memory_bytes: peakMemoryBytes() } : event.fields;
    out.write(`${canonicalJson({ ...fields, at: clock.now().toISOString(), level, step, message })}\n`);
  };
}

/** null for an event that is no progress, `wait` for one that comes too soon, otherwise what to show. */
function progressMeter(clock: Clock, intervalMs: number): (event: LogEvent) => string | null {
  let counting = '';
  let startedAt = 0;
  let shownAt = 0;
  return (event) => {
    const { done, total, unit, what } = counted(event);
    if (typeof done !== 'number' || typeof total !== 'number') return null;
    const now = clock.now().getTime();
    if (what !== counting || done <= 1) {
      counting = what;
      startedAt = now;
      shownAt = now;
      return 'wait';
    }
    if (now - shownAt < intervalMs) return 'wait';
    shownAt = now;
    const rate = (done * 1000) / Math.max(1, now - startedAt);
    const left = Math.ceil((total - done) / rate);
    const n = (value: number) => Math.round(value).toLocaleString('en');
    return `${n(done)} of ${n(total)} ${typeof unit === 'string' ? unit : ''} · ${n(rate)}/s · ${left} s left`;
  };
}

function counted(event: LogEvent) {
  const { done, total, unit, bytes, size, url } = event.fields ?? {};
  if (typeof bytes !== 'number' || typeof size !== 'number') return { done, total, unit, what: event.step };
  const kb = (n: number) => Math.ceil(n / 1000);
  return { done: kb(bytes), total: kb(size), unit: 'kB', what: `${event.step} ${url}` };
}

function mark(event: LogEvent, colour: boolean): string {
  const [sign, code] =
    event.level === 'error'
      ? ['✗', 31]
      : event.level === 'warn'
        ? ['!', 33]
        : skipped(event)
          ? ['·', 2]
          : ['✓', 32];
  return colour ? `\u001b[${code}m${sign}\u001b[0m` : sign;
}

function isDone(event: LogEvent): boolean {
  return event.fields?.['status'] === 'done';
}

function skipped(event: LogEvent): boolean {
  return event.fields?.['status'] === 'skipped' || event.step === 'plan';
}
