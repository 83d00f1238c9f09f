import type { Cpx } from '../geometry/cpx.ts';
import type { Scene, SceneItem } from '../scene/scene.ts';

/** A scene at its own size. */
export function sceneOf({
  width,
  height,
  items,
}: {
  width: Cpx;
  height: Cpx;
  items: readonly SceneItem[];
}): Scene {
  return { width, height: Math.ceil(height / 100) * 100, scale: 1_000_000, items };
}
