import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testWallet } from '../../fixtures/builders/testWallet.ts';
import { accountRig, grantSecretsText } from '../../fixtures/rigs/accountRig.ts';
import { systemTime } from '../ledger/openLedger.ts';
import { sqliteLedger } from '../ledger/sqlite/sqliteLedger.ts';

const wallet = testWallet(11);

it('a hold whose server was killed in mid-answer is given back when its time is over (X40, P7.11, A3.12)', async () => {
  const rig = await accountRig();
  rig.clock.nowMs = Date.now();
  const release = rig.release({
    sourceDate: '2026-02-07',
    padding: 'x'.repeat(7_900_000),
    issuers: [{ cik: '0001050446', ticker: 'MSTR', name: 'Strategy Inc', stress: 0.2 }],
  });
  rig.promote(release, { '2026-02-07': release });
  const grantId = await rig.enrol({ wallet: wallet.address });
  const token = await rig.token(wallet);
  await rig.ledger.close();
  const path = join(rig.root, 'ledger.db');

  const server = spawn(process.execPath, [join(import.meta.dirname, '../cli.ts'), 'start'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      II_DATA: rig.root,
      II_LEDGER: `sqlite:${path}`,
      II_LISTEN: '127.0.0.1:0',
      II_ADMIN_LISTEN: '127.0.0.1:0',
      II_BASE_URL: 'https://api.example.com',
      II_PAY_CHALLENGE_ONLY: 'on',
      II_PAY_GRANT_SECRETS: grantSecretsText,
    },
  });
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  try {
    const port = await new Promise<number>((resolve, reject) => {
      let said = '';
      const hear = (chunk: Buffer) => {
        said += chunk.toString('utf8');
        const found = /Listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
        if (found !== undefined) resolve(Number(found));
      };
      server.stdout.on('data', hear);
      server.once('exit', () => reject(new Error(`the server ended: ${said}`)));
    });
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `GET /v1/covenant-stress/MSTR HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
    });
    socket.on('error', () => {});
    const head = await new Promise<string>((resolve) =>
      socket.once('readable', () => resolve(String(socket.read(1000)))),
    );
    expect(head).toContain('200 OK');
    server.kill('SIGKILL');
    await exited;
    socket.destroy();

    const clock = { nowMs: Date.now() };
    const ledger = sqliteLedger({
      path,
      time: { nowMs: () => clock.nowMs, after: systemTime.after },
      log: () => {},
      onFatal: (error) => {
        throw error;
      },
    });
    await ledger.open();
    try {
      const states = async () => (await ledger.grants.debits(grantId)).map((debit) => debit.state);
      expect(await states()).toEqual(['held']);
      expect((await ledger.check()).problems).toEqual([]);
      clock.nowMs += 120_000;
      expect((await ledger.sweep()).holdsReleased).toBe(1);
      expect(await states()).toEqual(['released']);
      expect(await ledger.grants.find(grantId)).toMatchObject({ spentMicro: 0, heldMicro: 0 });
      expect((await ledger.check()).problems).toEqual([]);
    } finally {
      await ledger.close();
    }
  } finally {
    server.kill('SIGKILL');
    await exited;
    rmSync(rig.root, { recursive: true, force: true });
  }
});
