import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { quietPipes } from './quietPipes.ts';

const command = fileURLToPath(new URL('./cli.ts', import.meta.url));

/** The exit code of a command whose reader goes away before it writes. */
function exitWithoutReader(args: readonly string[]): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.destroy();
    child.on('error', reject).on('close', resolve);
  });
}

describe('quietPipes', () => {
  it('lets a command end well when its reader closed early (EPIPE)', async () => {
    expect(await exitWithoutReader(['--help'])).toBe(0);
  });

  it('passes over EPIPE and throws every other error of a stream', () => {
    const stream = new PassThrough();
    quietPipes([stream]);
    stream.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    expect(() => stream.emit('error', full)).toThrow(full);
  });
});
