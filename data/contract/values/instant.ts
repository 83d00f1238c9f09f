import { z } from 'zod';
import { printable } from './printable.ts';

/** UTC instant with whole seconds, as every answer shows it (I1.8 `datetime`); the argument is milliseconds since 1970. */
export function instant(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Milliseconds of 2000-01-01 and 2100-01-01: what an outsider calls an instant outside of them is none. */
const firstMs = 946_684_800_000;
const lastMs = 4_102_444_800_000;

/** Epoch milliseconds that an outsider states. */
export const outsideInstant = z.number().int().min(firstMs).max(lastMs);

/** A number of an outsider that a double and an exact decimal hold without trouble. */
export const outsideNumber = z.number().min(-1e18).max(1e18);

/** Milliseconds since 1970 as they may stand in a sentence: an instant, or the number where it is none. Never throws. */
export function wordedInstant(ms: number): string {
  return ms >= firstMs && ms <= lastMs ? instant(ms) : `${ms} ms since 1970`;
}

/** Anything that an outsider sent, or that was thrown over it, as a short text of one line. Never throws. */
export function worded(value: unknown): string {
  try {
    const text =
      value instanceof Error ? value.message : typeof value === 'string' ? value : JSON.stringify(value);
    return printable(String(text).slice(0, mostWords));
  } catch {
    return `a ${typeof value}`;
  }
}

const mostWords = 200;

/** Minutes with one decimal since a slice was computed (I2.46); a clock behind that of the night gives 0. */
export function ageMinutes(computedAt: string, nowMs: number): number {
  return Math.round(Math.max(0, nowMs - Date.parse(computedAt)) / 6_000) / 10;
}

/** Whole days from the date of a slice to an instant, UTC; none before its date ends. */
export function sliceAgeDays(sourceDate: string, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - dayMs * dayNumber(sourceDate)) / dayMs));
}

const dayMs = 86_400_000;

/** Days since 1970-01-01 of an ISO day or of the day of an instant. */
export function dayNumber(date: string): number {
  return Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / dayMs;
}

/** The ISO day of a number of days since 1970-01-01. */
export function isoDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** A slice is that of last night until the day after its date ends (I4.F10.1, V58). */
export function isLastNight(ageDays: number | null): boolean {
  return ageDays === null || ageDays <= 1;
}
