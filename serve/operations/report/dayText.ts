import { printable } from '../../../data/contract/values/printable.ts';
import type { Listed, ReceiptSums } from '../../ledger/port/day.ts';
import { shownDuration, shownInstant, shownUsd } from '../page/figures.ts';
import { type DayReport, totalOf } from './dayJson.ts';

const hourMs = 3_600_000;

/** The daily report as plain text for a terminal or a mail: every section in the same order, on quiet days too. */
export function dayText(report: DayReport): string {
  const { day, madeMs, needs } = report;
  return [
    `Operator report of ${day} (UTC), made ${shownInstant(madeMs)}. USD; what is open is open when it was made.\n\n`,
    needs.length === 0 ? 'Nothing needs you.\n\n' : `NEEDS YOU (${needs.length})\n${needsText(needs)}\n`,
    ...ofTheDay(report),
    ...openNow(report),
  ]
    .join('')
    .replaceAll(/\n{3,}/g, '\n\n');
}

function needsText(needs: DayReport['needs']): string {
  return needs
    .map(
      ({ what, next, command }) =>
        `  ! ${what}\n    ${next}\n${command === null ? '' : `    $ ${command}\n`}`,
    )
    .join('');
}

function ofTheDay({ books }: DayReport): string[] {
  const { receipts, routes, checkouts, webhooks, corrections, watched, keys } = books;
  const columns = ['answers', 'quoted', 'charged', 'refunded', 'from grants'];
  const money = (skipped: number) => columns.map((_, index) => index + skipped);
  return [
    section('RECEIPTS OF THE DAY', receipts.length, () =>
      alignedTable(
        ['settlement', 'state', ...columns],
        [
          ...receipts.map((row) => [row.mode, row.status, ...sumsText(row)]),
          ['in all', '', ...sumsText(totalOf(receipts))],
        ],
        money(2),
      ),
    ),
    section('BY ROUTE', routes.length, () =>
      alignedTable(
        ['route', ...columns],
        routes.map((row) => [`${row.routeId} ${row.routeUri}`, ...sumsText(row)]),
        money(1),
      ),
    ),
    section('REFUNDS AND DISPUTES RECORDED', corrections.total, () =>
      listText(corrections, ['at', 'receipt', 'step', 'charged', 'refunded', 'by', 'why'], [3, 4], (row) => [
        shownInstant(row.atMs),
        row.receiptId,
        `${row.from} > ${row.to}`,
        usd(row.chargedMicro),
        usd(row.refundedMicro),
        row.actor,
        row.externalRef === null || row.externalRef === row.reason
          ? row.reason
          : `${row.reason} (${row.externalRef})`,
      ]),
    ),
    section('CARD CHECKOUTS', checkouts.length + webhooks.length, () =>
      alignedTable(
        ['what', 'count', 'credit'],
        [
          ...checkouts.map((row) => [`checkout ${row.state}`, row.count, usd(row.creditMicro)]),
          ...webhooks.map((row) => [
            `event ${row.result === 'suspended' ? 'suspended (dispute)' : row.result}`,
            row.count,
            '',
          ]),
        ],
        [1, 2],
      ),
    ),
    section('WATCH LIST, ADDED', watched.total, () =>
      listText(watched, ['at', 'wallet', 'rail', 'why', 'now'], [], (row) => [
        shownInstant(row.addedMs),
        row.payer,
        row.provider,
        row.reason,
        row.cleared ? 'cleared' : 'listed',
      ]),
    ),
    section('API KEYS CREATED, REVOKED, EXPIRING WITHIN 7 DAYS', keys.length, () =>
      alignedTable(
        ['at', 'key', 'what', 'by', 'label'],
        keys.map((row) => [shownInstant(row.atMs), row.keyId, row.what, row.by ?? 'not recorded', row.label]),
      ),
    ),
  ];
}

function openNow({ books, madeMs }: DayReport): string[] {
  const { figures, stuck, overdue, pastReplay, review, queued } = books;
  const old = figures.openPayments.filter(({ createdMs }) => madeMs - createdMs >= hourMs);
  const age = (ms: number): string => shownDuration(madeMs - ms);
  return [
    section('SETTLEMENTS OPEN FOR OVER AN HOUR', stuck.count, () =>
      listText(
        { total: stuck.count, rows: old },
        ['age', 'receipt', 'rail', 'phase', 'amount', 'looks', 'last word'],
        [4, 5],
        (row) => [
          age(row.createdMs),
          row.receiptId,
          row.provider,
          row.phase,
          usd(row.amountMicro),
          row.checks,
          row.refusal ?? '',
        ],
      ),
    ),
    section('CHARGED AND UNDELIVERED FOR A DAY', overdue.total, () =>
      listText(overdue, ['age', 'receipt', 'settlement', 'charged', 'payer', 'route'], [3], (row) => [
        age(row.createdMs),
        row.receiptId,
        row.mode,
        usd(row.chargedMicro),
        row.payerIdentity ?? '',
        row.routeUri,
      ]),
    ),
    ...(pastReplay.count === 0
      ? []
      : [
          `  ${pastReplay.count} older than 7 days, never fetched nor refunded: ${shownUsd(pastReplay.micro)}\n\n`,
        ]),
    section('CHARGES THAT WAIT FOR YOUR DECISION', review.total, () =>
      listText(review, ['since', 'receipt', 'why', 'charged'], [3], (row) => [
        shownInstant(row.updatedMs),
        row.receiptId,
        row.why,
        usd(row.chargedMicro),
      ]),
    ),
    section('QUEUED AT THE GATEWAY, BY PAYER', queued.total, () =>
      listText(queued, ['payer', 'receipts', 'queued', 'oldest'], [1, 2], (row) => [
        row.payerIdentity ?? '',
        row.count,
        usd(row.micro),
        age(row.oldestMs),
      ]),
    ),
    section('GRANTS RUNNING OUT OR EXPIRING WITHIN 7 DAYS', figures.endingBudgets.length, () =>
      alignedTable(
        ['grant', 'program', 'state', 'left', 'of', 'expires', 'account'],
        figures.endingBudgets.map((row) => [
          row.grantId,
          row.program,
          row.status,
          usd(row.remainingMicro),
          usd(row.budgetMicro),
          shownInstant(row.expiresMs),
          row.accountId ?? '',
        ]),
        [3, 4],
      ),
    ),
  ];
}

function section(title: string, count: number, content: () => string): string {
  return count === 0 ? `${title}: none\n` : `\n${title} (${count})\n${content()}\n`;
}

function listText<T>(
  list: Listed<T>,
  head: readonly string[],
  right: readonly number[],
  cells: (row: T) => readonly (string | number)[],
): string {
  const more = list.total - list.rows.length;
  return `${alignedTable(head, list.rows.map(cells), right)}${more > 0 ? `  and ${more} more\n` : ''}`;
}

function sumsText(sums: ReceiptSums): readonly (string | number)[] {
  const { count, quotedMicro, chargedMicro, refundedMicro, grantDebitMicro } = sums;
  return [count, usd(quotedMicro), usd(chargedMicro), usd(refundedMicro), usd(grantDebitMicro)];
}

/** All six digits, so that columns add up by eye. */
function usd(micro: number): string {
  return `${Math.trunc(micro / 1e6)}.${String(micro % 1e6).padStart(6, '0')}`;
}

const widest = 72;

/**
 * A table of plain text: columns as wide as their widest cell, two spaces between them, numbers to the right. What is
 * longer than 72 characters is cut; what could move a terminal's cursor is shown as its escape.
 */
export function alignedTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  right: readonly number[] = [],
): string {
  const cells = [head, ...rows].map((row) => row.map(shown));
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return right.includes(column) ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}\n`)
    .join('');
}

function shown(cell: string | number): string {
  const plain = printable(String(cell));
  return plain.length > widest ? `${plain.slice(0, widest - 1)}…` : plain;
}
