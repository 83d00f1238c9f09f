import type { Cpx } from '../geometry/cpx.ts';
import type { Rect } from '../geometry/rect.ts';
import { paint } from '../scene/pen.ts';
import type { SceneItem, Subject } from '../scene/scene.ts';

const width: Cpx = 300;
const inset: Cpx = 300;
const gap: Cpx = 200;
const series = ['series-a', 'series-b', 'series-c', 'series-d', 'series-e'] as const;

/**
 * A 3 px bar at the edge of a box that names a group or an owner; the number of its parts is the shape beside its
 * colour (V16, V35).
 */
export function keyBar(
  { x, y, w, h }: Rect,
  { side, key, subject }: { side: 'start' | 'end'; key: number; subject: Subject },
): SceneItem[] {
  // of equal colours each has one part more
  const parts = 1 + ((key + Math.floor(key / series.length)) % series.length);
  const [height, top] = [Math.max(parts * 2 * gap, Math.floor((h * 3) / 5)), y + Math.floor(h / 5)];
  const part = Math.floor((height - (parts - 1) * gap) / parts);
  const fill = series[key % series.length] ?? 'series-a';
  return Array.from({ length: parts }, (_, i) => ({
    type: 'rect' as const,
    box: {
      x: side === 'start' ? x + inset : x + w - inset - width,
      y: top + i * (part + gap),
      w: width,
      h: part,
    },
    radius: 0,
    paint: paint({ fill }),
    subject,
  }));
}
