import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { artifactText } from '../../../fixtures/rigs/storedArtifacts.ts';
import { releasePaths } from '../../dataLayout.ts';
import { realFiles } from '../../effects.ts';
import { publishRelease } from '../../release/publishRelease.ts';
import { rollbackRelease } from '../../release/rollbackRelease.ts';
import { openSigningKey } from '../../release/signingKey.ts';
import { verifyRelease } from '../../release/verifyRelease.ts';
import type { NightFacts } from '../familyContexts.ts';
import { modelCard } from './modelCard.ts';

/** The card alone is read of the night. */
const card = (sourceDate: string, text: string) => ({
  night: { sourceDate, modelCard: text } as unknown as NightFacts,
});

const madeOf = async (contexts: ReturnType<typeof card>) =>
  (await modelCard.make(contexts, { backfilled: false })).flatMap((one) => ('leftOut' in one ? [] : [one]));

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'model-card-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('model card of a release', () => {
  it('is one Markdown file of a full slice, and none of a backfill (I4.36)', async () => {
    const contexts = card('2026-02-07', '# Model card\n');
    expect(await modelCard.make(contexts, { backfilled: false })).toEqual([
      {
        key: 'model-card/2026-02-07.md',
        mediaType: 'text/markdown',
        bytes: new TextEncoder().encode('# Model card\n'),
        coded: false,
      },
    ]);
    expect(await modelCard.make(contexts, { backfilled: true })).toEqual([]);
  });

  it('is listed in the manifest, and a rollback publishes the same file again', async () => {
    const files = realFiles();
    const paths = releasePaths(join(root, 'artifacts'));
    const key = await openSigningKey({ path: join(root, 'key.pem'), files });
    const publish = async (sourceDate: string) =>
      publishRelease({
        paths,
        key,
        files,
        moveCurrent: true,
        content: {
          sourceDate,
          generatedAt: `${sourceDate}T07:00:00Z`,
          sliceStatus: 'complete',
          artifacts: await madeOf(card(sourceDate, `# ${sourceDate}\n`)),
          inputs: { parameters: 'params-1.3' },
        },
      });
    await publish('2026-02-06');
    await publish('2026-02-07');
    const { release } = await rollbackRelease({ paths, key, files, to: null });
    const { manifest } = await verifyRelease({ paths, name: release, publicKeys: [key.publicKey] });
    expect(manifest.artifacts).toMatchObject([
      { key: 'model-card/2026-02-06.md', media_type: 'text/markdown' },
    ]);
    const stored = { root: paths.root, release, key: 'model-card/2026-02-06.md' };
    expect(await artifactText(stored)).toBe('# 2026-02-06\n');
  });
});
