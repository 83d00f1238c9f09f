import { publishedRenderKey } from './renderKey.ts';

type PublishedKey = ReturnType<typeof publishedRenderKey>;

/** The public half of the key of renders, looked for until there is one: the first render makes it (I4.VIS.15). */
export function renderKeyWatch(directory: string): () => PublishedKey {
  let known: PublishedKey = null;
  return () => (known ??= publishedRenderKey(directory));
}
