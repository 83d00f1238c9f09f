import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe } from 'vitest';
import { storeSuite } from '../../fixtures/rigs/objectStore/storeSuite.ts';
import { openStore } from './openStore.ts';

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'directory-store-'));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

describe('a store in a directory', () => {
  storeSuite({
    fresh: async () => openStore({ address: join(scratch, 'store'), environment: {}, keepOpen: 2 }),
    scratch: () => scratch,
  });
});
