import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { companyfactsPath, edgarFiles } from '../../fixtures/replicas/edgarFiles.ts';
import { type EdgarReplica, edgarReplica } from '../../fixtures/replicas/edgarReplica.ts';

const child = fileURLToPath(new URL('../../fixtures/replicas/fetchEdgarChild.ts', import.meta.url));
const zipBytes = 3_000_000;

let root: string;
let replica: EdgarReplica | null = null;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fetch-crash-'));
});
afterEach(async () => {
  await replica?.close();
  await rm(root, { recursive: true, force: true });
});

type Line = {
  log?: { message: string; fields?: { bytes?: number } };
  report?: { files: { status: string; bytes: number; sha256: string }[] };
  error?: { code: string; exitCode: number; hint: string };
};

/** Starts the child; `onLine` may kill it. Resolves with its lines once it has ended. */
async function runChild({
  origin,
  limitBlocks,
  onLine,
}: {
  origin: string;
  limitBlocks?: number;
  onLine?: (line: Line, kill: () => void) => void;
}): Promise<Line[]> {
  const command = [process.execPath, child, origin, root];
  const started =
    limitBlocks === undefined
      ? spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] })
      : // a file-size limit of the kernel: writes beyond it fail as they do on a full disk
        spawn('sh', ['-c', `ulimit -f ${limitBlocks}; exec "$@"`, 'sh', ...command], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
  const ended = once(started, 'close');
  const lines: Line[] = [];
  for await (const text of createInterface({ input: started.stdout })) {
    const line: Line = JSON.parse(text);
    lines.push(line);
    onLine?.(line, () => started.kill('SIGKILL'));
  }
  await ended;
  return lines;
}

describe('a process that dies in the middle of a download', () => {
  it('is followed by one that resumes: right hash, fewer bytes than two downloads', async () => {
    const files = edgarFiles({ zipBytes });
    const archive = files[companyfactsPath]?.body ?? Buffer.alloc(0);
    replica = await edgarReplica({
      files,
      faults: { [companyfactsPath]: [{ kind: 'stall', afterBytes: 2_000_000 }] },
    });
    const first = await runChild({
      origin: replica.origin,
      onLine: (line, kill) => {
        const facts = line.log?.message.includes('companyfacts.zip') ?? false;
        if (facts && (line.log?.fields?.bytes ?? 0) > 1_000_000) kill();
      },
    });
    expect(first.some((line) => line.report !== undefined)).toBe(false);
    const second = await runChild({ origin: replica.origin });
    const report = second.at(-1)?.report;
    expect(report?.files[1]).toMatchObject({ status: 'resumed' });
    expect(report?.files[1]?.bytes).toBeLessThan(archive.length - 1_000_000);
    expect(await readFile(join(root, 'source/edgar/companyfacts.zip'))).toEqual(archive);
    const [before, after] = replica.requestsOf(companyfactsPath);
    expect(before?.headers.range).toBeUndefined();
    expect(Number(/^bytes=(\d+)-$/.exec(after?.headers.range ?? '')?.[1])).toBeGreaterThan(1_000_000);
    expect(replica.bytesSent(companyfactsPath)).toBeLessThan(2 * archive.length - 1_000_000);
    expect(await readdir(join(root, 'raw/edgar/partial'))).toEqual([]);
  });

  it('reports a full disk, keeps the part, and resumes when there is room', async () => {
    const files = edgarFiles({ zipBytes });
    replica = await edgarReplica({ files });
    // 2,048 blocks of 512 bytes (1 MiB), less than an archive
    const first = await runChild({ origin: replica.origin, limitBlocks: 2_048 });
    const error = first.at(-1)?.error;
    expect(error).toMatchObject({ code: 'store_unwritable', exitCode: 1 });
    expect(error?.hint).toContain('resumed');
    const parts = (await readdir(join(root, 'raw/edgar/partial'))).filter((name) => name.endsWith('.part'));
    expect(parts.length).toBeGreaterThan(0);
    await expect(stat(join(root, 'source'))).rejects.toThrow('ENOENT');
    const second = await runChild({ origin: replica.origin });
    expect(second.at(-1)?.report?.files.map((f) => f.status)).toContain('resumed');
    expect(await readFile(join(root, 'source/edgar/companyfacts.zip'))).toEqual(
      files[companyfactsPath]?.body,
    );
  });
});
