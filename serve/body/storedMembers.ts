import { objectMembers } from '../../data/store/bytes/objectMembers.ts';
import type { OpenBodies } from './openBodies.ts';

const known = new WeakMap<OpenBodies, ReadonlyMap<string, Buffer>>();

/**
 * The members of a stored object as the byte ranges they lie in. The object is walked once while it is loaded.
 *
 * @throws TypeError when the bytes are no canonical JSON object; stored objects are hashed before they get here.
 */
export function storedMembers(bodies: OpenBodies): ReadonlyMap<string, Buffer> {
  const found = known.get(bodies);
  if (found !== undefined) return found;
  const members = objectMembers(bodies.body('identity').bytes);
  known.set(bodies, members);
  return members;
}
