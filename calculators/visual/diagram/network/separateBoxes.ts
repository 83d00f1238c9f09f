import type { Cpx } from '../../geometry/cpx.ts';
import type { Rect } from '../../geometry/rect.ts';
import type { Steps } from '../layout.ts';

type Moving = { x: Cpx; y: Cpx; readonly w: Cpx; readonly h: Cpx };

/** Rounds of pushing before the boxes are spread (V67). */
const rounds = 400;

/** Pushes boxes apart in input order along the shorter way until each keeps its gap; spreads them where that fails (V18). */
export function separateBoxes(boxes: readonly Rect[], { gap, steps }: { gap: Cpx; steps: Steps }): Rect[] {
  const moving: Moving[] = boxes.map(({ x, y, w, h }) => ({ x, y, w, h }));
  let left = rounds;
  while (pushOnce(moving, { gap, steps })) {
    left--;
    if (left > 0 && left % 40 !== 0) continue;
    // crowded: all centres move away from 0 by a tenth, which ends in any case
    for (const box of moving) {
      box.x += Math.round((box.x + box.w / 2) / 10);
      box.y += Math.round((box.y + box.h / 2) / 10);
    }
  }
  return moving.map(({ x, y, w, h }) => ({ x, y, w, h }));
}

function pushOnce(boxes: readonly Moving[], { gap, steps }: { gap: Cpx; steps: Steps }): boolean {
  let moved = false;
  for (const [i, a] of boxes.entries())
    for (let j = i + 1; j < boxes.length; j++) {
      const b = boxes[j];
      if (b === undefined) continue;
      steps.taken++;
      const across = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x) + gap;
      const down = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y) + gap;
      if (across <= 0 || down <= 0) continue;
      moved = true;
      if (2 * across < 3 * down) {
        const by = Math.ceil(across / 2) * (2 * a.x + a.w <= 2 * b.x + b.w ? 1 : -1);
        a.x -= by;
        b.x += by;
      } else {
        const by = Math.ceil(down / 2) * (2 * a.y + a.h <= 2 * b.y + b.h ? 1 : -1);
        a.y -= by;
        b.y += by;
      }
    }
  return moved;
}
