import type { Command } from 'commander';

/** What people type, by command; shown below its help. */
const examples: Readonly<Record<string, readonly string[]>> = {
  '': [
    '--env-file serve/demo.env start',
    'check-config',
    'keys create --label me --scopes rest --as me',
    'ledger report --day 2026-02-07',
  ],
  start: ['start', '--env-file serve/demo.env start'],
  settle: ['settle'],
  get: ['get /v1/covenant-stress/MSTR', 'get --headers "/v1/top-stressed?limit=2"'],
  'check-config': ['check-config', '--env-file /etc/issuer/issuer.env check-config'],
  audit: ['audit', 'audit --date 2026-02-07'],
  keys: ['keys create --label desk --scopes rest --as ada', 'keys list'],
  grants: ['grants list', 'grants topup <grant-id> --usd 25 --as ada'],
  ledger: [
    'ledger report',
    'ledger check --chain',
    'ledger backup /var/backups/ledger.db',
    'ledger show <receipt-id>',
  ],
};

const endings =
  'Exit codes: 0 done · 1 internal · 2 usage or configuration · 3 not found or input missing · 4 a third party refused · ' +
  '5 validation failed, or something needs you · 6 the audit is degraded · 75 locked, try later · 130 interrupted.';

/** Adds examples to the help of the program and its first commands, and the exit codes to every one. */
export function addExamples(program: Command): void {
  for (const [name, lines] of Object.entries(examples)) {
    const command = name === '' ? program : program.commands.find((child) => child.name() === name);
    if (command === undefined) throw new Error(`there is no command ${name} to give examples of`);
    const shown = lines.map((line) => `  issuer-serve ${line}`).join('\n');
    command.addHelpText('after', `\nExamples:\n${shown}\n\n${endings}`);
  }
}
