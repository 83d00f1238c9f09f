import faces from '../type/faces/hash.json' with { type: 'json' };

/** What a picture's bytes depend on beside its contract; a change that moves a byte bumps its owner (V22). */
export const visualVersions = {
  renderer_version: 'ii-visual-1.0',
  layout_engine_version: 'ii-layout-1.0',
  font_metrics_version: `plex-5.3.0-${faces.sha256.slice(0, 8)}`,
} as const;
