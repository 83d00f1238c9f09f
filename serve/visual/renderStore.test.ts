import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { matrixContract, timelineContract } from '../../fixtures/visual/familyContracts.ts';
import type { ContractInput } from '../../fixtures/visual/pipelineContract.ts';
import { openRenderKey, publishedRenderKey, renderStore, StoreFault } from './renderStore.ts';
import { visualDesk } from './visualDesk.ts';

const nowMs = Date.parse('2026-02-07T10:00:00Z');
let directory: string;
let sent: number;
beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'issuer-renders-')), 'visual');
  sent = 0;
});
afterEach(() => rmSync(join(directory, '..'), { recursive: true, force: true }));

/** Renders over a store as a thread of its own would. */
function render(contract: ContractInput, owner: string, most?: number): string {
  const store = renderStore({ directory, nowMs, ...(most === undefined ? {} : { most }) });
  const desk = visualDesk({ store: () => store, key: () => openRenderKey(directory) });
  sent += 1;
  const reply = desk({
    tool: 'visual_diagram_render',
    args: { contract },
    owner,
    nowMs,
    ulid: `01KGVRPH80Z212B2NBDCWCJZ${String(sent).padStart(2, '0')}`,
  });
  if (reply.kind !== 'answer') throw new Error(JSON.stringify(reply));
  return reply.answer.artifact.key.split('/')[1] ?? '';
}
const open = (at = nowMs) => renderStore({ directory, nowMs: at });
const named = (name: string): ContractInput => ({ ...matrixContract, diagram_id: name });

describe('the store of renders', () => {
  it('holds the files of a render under its receipt, each with the bytes that were signed (I4.VIS.12a)', () => {
    const id = render(matrixContract, 'A');
    expect(readdirSync(join(directory, id)).sort()).toEqual([
      'contract.json',
      'diagram.svg',
      'fit_report.json',
      'render_receipt.json',
      'stored.json',
      'text_alternative.txt',
    ]);
    const head = open().find('A', id);
    if (head === null) throw new Error('it was stored');
    expect(open().read(head).fitReport.render_receipt_id).toBe(id);
  });

  it('shows a render to its owner alone unless it is public', () => {
    const own = render(matrixContract, 'A');
    const shared = render({ ...timelineContract, reuse_metadata: { visibility: 'public' } }, 'A');
    const ids = (owner: string) =>
      open()
        .visible(owner)
        .map(({ receipt }) => receipt.receipt_id);
    expect(ids('A')).toEqual([shared, own]);
    expect(ids('B')).toEqual([shared]);
    expect(open().find('B', own)).toBeNull();
  });

  it('finds what another server has stored beside it', () => {
    const store = open();
    const id = render(matrixContract, 'A');
    expect(store.find('A', id)?.receipt.receipt_id).toBe(id);
  });

  it('keeps the newest renders of an owner and those of others (I4.VIS.12a)', () => {
    const other = render(matrixContract, 'B');
    const ids = ['one', 'two', 'three'].map((name) => render(named(`diagram-${name}`), 'A', 2));
    expect(
      open()
        .visible('A')
        .map(({ receipt }) => receipt.receipt_id),
    ).toEqual([ids[2], ids[1]]);
    expect(existsSync(join(directory, ids[0] ?? ''))).toBe(false);
    expect(open().find('B', other)).not.toBeNull();
  });

  it('does not serve a file that is not the one that was signed, or is gone', () => {
    const id = render(matrixContract, 'A');
    const head = open().find('A', id);
    if (head === null) throw new Error('it was stored');
    writeFileSync(join(directory, id, 'diagram.svg'), '<svg/>');
    expect(() => open().read(head)).toThrow(StoreFault);
    rmSync(join(directory, id, 'diagram.svg'));
    expect(() => open().read(head)).toThrow(StoreFault);
  });

  it('takes no folder for a render that has no readable head, and clears what a dead server left', () => {
    const id = render(matrixContract, 'A');
    mkdirSync(join(directory, 'vrcp_01KGVRPH80Z212B2NBDCWCJZ99'));
    for (const name of ['.new-old', '.new-fresh']) mkdirSync(join(directory, name));
    utimesSync(join(directory, '.new-old'), nowMs / 1000 - 3601, nowMs / 1000 - 3601);
    utimesSync(join(directory, '.new-fresh'), nowMs / 1000, nowMs / 1000);
    expect(
      open()
        .visible('A')
        .map(({ receipt }) => receipt.receipt_id),
    ).toEqual([id]);
    expect(readdirSync(directory).filter((name) => name.startsWith('.new'))).toEqual(['.new-fresh']);
  });

  it('stores nothing where it cannot write all, and says so', () => {
    render(timelineContract, 'A');
    const before = readdirSync(directory);
    // a name that is taken by a file cannot become a folder
    writeFileSync(join(directory, '.new-vrcp_01KGVRPH80Z212B2NBDCWCJZ02'), '');
    expect(() => render(matrixContract, 'A')).toThrow('store_failed');
    expect(readdirSync(directory).sort()).toEqual(before.sort());
  });
});

describe('the key of renders', () => {
  it('is made once, stays private, and has its public half beside it', () => {
    expect(publishedRenderKey(directory)).toBeNull();
    const made = openRenderKey(directory);
    const again = openRenderKey(directory);
    expect(again.keyId).toBe(made.keyId);
    expect(publishedRenderKey(directory)).toMatchObject({ keyId: made.keyId, publicKey: made.publicKey });
    expect(readdirSync(directory).sort()).toEqual(['render-ed25519.pem', 'render-ed25519.pub']);
  });

  it('is not replaced where the file holds something else', () => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'render-ed25519.pem'), 'no key');
    expect(() => openRenderKey(directory)).toThrow(StoreFault);
  });
});
