import { bytes } from '../stored.ts';

/** What the models of a release are and are not, for readers (M14). */
export const modelCard = bytes({
  subject: 'none',
  mediaType: 'text/markdown',
  key: ({ slice }) => `model-card/${slice}.md`,
});
