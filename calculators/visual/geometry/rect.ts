export type Rect = { readonly x: Cpx; readonly y: Cpx; readonly w: Cpx; readonly h: Cpx };

/** The larger of the gaps on the two axes: 0 when they touch, negative when they overlap (V23). */
export function gapBetween(a: Rect, b: Rect): Cpx {
  const across = Math.max(a.x - b.x - b.w, b.x - a.x - a.w);
  const down = Math.max(a.y - b.y - b.h, b.y - a.y - a.h);
  return Math.max(across, down);
}

/** The rectangle grown by `by` on every side; a negative `by` shrinks it. */
export function grown({ x, y, w, h }: Rect, by: Cpx): Rect {
  return { x: x - by, y: y - by, w: w + 2 * by, h: h + 2 * by };
}

/** Its corners, clockwise from the top left. */
export function cornersOf({ x, y, w, h }: Rect): readonly { readonly x: Cpx; readonly y: Cpx }[] {
  return [
    { x, y },
    { x: x + w, y },
    { x: x + w, y: y + h },
    { x, y: y + h },
  ];
}

/** Whether `outer` holds all of `inner`. */
export function holds(outer: Rect, inner: Rect): boolean {
  return (
    outer.x <= inner.x &&
    outer.y <= inner.y &&
    inner.x + inner.w <= outer.x + outer.w &&
    inner.y + inner.h <= outer.y + outer.h
  );
}

/** The smallest rectangle around all; null for none. */
export function around(rects: Iterable<Rect>): Rect | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, w, h } of rects) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + w);
    bottom = Math.max(bottom, y + h);
  }
  return left > right ? null : { x: left, y: top, w: right - left, h: bottom - top };
}

/** A length or coordinate in hundredths of a px, an integer (V2). */
export type Cpx = number;

/** Writes hundredths as px with at most two decimals. */
export function px(value: Cpx): string {
  return String(value / 100);
}
