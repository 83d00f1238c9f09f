import type { Face, FaceName } from './face.ts';
import mono400 from './faces/mono-400.json' with { type: 'json' };
import mono600 from './faces/mono-600.json' with { type: 'json' };
import sans400 from './faces/sans-400.json' with { type: 'json' };
import sans600 from './faces/sans-600.json' with { type: 'json' };
import serif400 from './faces/serif-400.json' with { type: 'json' };
import serif600 from './faces/serif-600.json' with { type: 'json' };
import { readFace } from './readFace.ts';

/** The six faces of the room, generated from IBM Plex 5.3.0 (V7, V8). */
export const faces: Readonly<Record<FaceName, Face>> = {
  'sans-400': readFace(sans400),
  'sans-600': readFace(sans600),
  'serif-400': readFace(serif400),
  'serif-600': readFace(serif600),
  'mono-400': readFace(mono400),
  'mono-600': readFace(mono600),
};
