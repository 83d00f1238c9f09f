import type { CapitalReason } from '../../../data/contract/payloads/issuer/capitalParts.ts';
import type { ExactDecimal } from '../../../data/contract/values/exactDecimal.ts';
import {
  add,
  compare,
  divide,
  exactly,
  type Fraction,
  multiply,
  one,
  published,
  rounded,
  smaller,
  subtract,
  zero,
} from '../../exact/fraction.ts';
import type { Figure } from '../figure.ts';
import type {
  ClaimClass,
  ClaimLens,
  ClaimLine,
  Claims,
  Instrument,
  Instruments,
  PreferredClass,
  PreferredStock,
} from '../parts.ts';
import type { ClaimBase } from './resolveClaimBase.ts';

/** Falls of the coins that are shown (M18.50). */
export const claimShocks = [0.3, 0.5, 0.7] as const;

/** Said beside every figure of the lens of all assets (M18.52). */
const bookValues = 'book_values_no_costs_no_order_by_court';

type ClaimInput = {
  readonly base: ClaimBase;
  readonly instruments: Instruments;
  readonly preferred: PreferredStock;
  /** Shares at the period end, for what is left to common. */
  readonly outstanding: Figure;
};

/** A claimant in the order of payment; exact until it is printed. */
type Claimant = {
  readonly class: ClaimClass;
  readonly instrumentId: string | null;
  readonly rank: number | null;
  readonly claim: Fraction;
  /** Coins of its own, after the fall; null where their value is not known or there are none. */
  readonly own: Fraction | null;
};

type Paid = Claimant & { readonly paid: Fraction | null };

/** Why there is no waterfall; null where there is one (M18.50). */
export function claimsAbsent({ base, instruments }: ClaimInput, lens: ClaimLens): CapitalReason | null {
  if (base.debt === null || instruments.stack.status === 'exceeds') return 'status_unproven';
  if (lens === 'coins_only') return base.coins === null ? 'not_applicable' : null;
  return base.assets === null || base.liabilities === null ? 'not_filed' : null;
}

/**
 * Who is paid what after a fall of the coins: from the coins alone, or from all assets at book value (M18.50–M18.53).
 * A loan secured by coins takes from its own first; what these lack joins the unsecured, what they leave the pool.
 */
export function claimsAt(
  input: ClaimInput,
  { lens, shock }: { readonly lens: ClaimLens; readonly shock: number },
): Claims | null {
  if (claimsAbsent(input, lens) !== null) return null;
  const { base, preferred, outstanding } = input;
  const left = subtract(one, exactly(shock));
  const pool = poolOf(base, { lens, shock });
  const claimants = claimantsOf(input, { lens, left });
  const paid = lens === 'coins_only' ? paidFromCoins(claimants, pool) : paidByRank(claimants, pool);
  const residual = subtract(pool, sum(paid.map((each) => each.paid ?? zero)));
  const isMissingPreferred = preferred.classes.some(
    ({ claim }) => claim.value === null && claim.reason !== 'par_only' && claim.reason !== 'not_applicable',
  );
  const shares = outstanding.value;
  const hasShares = shares !== null && shares.sign > 0 && !isMissingPreferred;
  const unknown = claimants.filter((each) => each.class === 'secured_by_coins' && each.own === null);
  return {
    lens,
    shock,
    pool: rounded(pool, 6),
    lines: [...linesOf(paid), common(residual)],
    commonResidual: rounded(residual, 6),
    commonPerShare: hasShares ? rounded(divide(residual, exactly(shares)), 6) : null,
    isLowerBound: base.isLowerBound,
    notes: [
      ...(lens === 'all_assets' ? [bookValues] : []),
      ...(base.isLowerBound ? ['lower_bound'] : []),
      ...(lens === 'coins_only' ? unknown.map((each) => `collateral_unknown:${each.instrumentId}`) : []),
      ...(isMissingPreferred ? ['missing:preferred_claim'] : []),
      ...(preferred.classes.some(restsOnOneTag) ? ['preferred_stated_by_one_tag'] : []),
    ],
  };
}

/** What is carried, without a number of shares, a par value or a preference that says what is owed (M18.40). */
function restsOnOneTag({ claim, shares }: PreferredClass): boolean {
  const isCarried = claim.value !== null && claim.value.sign > 0 && claim.basis === 'carrying_amount';
  return isCarried && shares.value === null;
}

function poolOf(base: ClaimBase, { lens, shock }: { lens: ClaimLens; shock: number }): Fraction {
  const coins = exactly(base.coins ?? base.carried);
  const receivable = exactly(base.pledgedReceivable);
  if (lens === 'coins_only') return multiply(add(coins, receivable), subtract(one, exactly(shock)));
  const fallen = multiply(add(exactly(base.carried), receivable), exactly(shock));
  const book = subtract(exactly(base.assets ?? base.goodwill), exactly(base.goodwill.plus(base.intangibles)));
  const pool = subtract(book, fallen);
  return compare(pool, zero) < 0 ? zero : pool;
}

/** Everyone with a claim, in the order of ranks (M18.50). */
function claimantsOf(
  { base, instruments, preferred }: ClaimInput,
  { lens, left }: { readonly lens: ClaimLens; readonly left: Fraction },
): Claimant[] {
  const owing = instruments.found.filter(({ state }) => state === 'outstanding');
  const own = new Map(base.collateral.map(({ instrumentId, value }) => [instrumentId, value]));
  const claimants = owing.flatMap((instrument): Claimant[] => {
    const claim = claimOf(instrument);
    if (claim === null || claim.sign <= 0) return [];
    const kind = classOf(instrument);
    const collateral = kind === 'secured_by_coins' ? own.get(instrument.id) : undefined;
    return [
      {
        class: kind,
        instrumentId: instrument.id,
        rank: lens === 'coins_only' && kind === 'secured_by_other_assets' ? null : ranks[kind],
        claim: exactly(claim),
        own: collateral === undefined ? null : multiply(exactly(collateral), left),
      },
    ];
  });
  const { status, difference } = instruments.stack;
  const rest = status === 'debt_not_itemised' && difference !== null ? difference : null;
  const claims = preferred.classes.flatMap(({ claim }) => claim.value ?? []);
  const whole = (kind: ClaimClass, amount: Fraction): Claimant[] =>
    compare(amount, zero) <= 0
      ? []
      : [{ class: kind, instrumentId: null, rank: ranks[kind], claim: amount, own: null }];
  return [
    ...claimants,
    ...(rest === null ? [] : whole('debt_not_itemised', exactly(rest))),
    ...(lens === 'all_assets' ? whole('other_liabilities', otherLiabilities(base)) : []),
    ...whole('preferred', sum(claims.map((claim) => exactly(claim)))),
  ];
}

const ranks: Readonly<Record<ClaimClass, number>> = {
  secured_by_coins: 1,
  secured_by_other_assets: 2,
  unsecured_convertible: 3,
  unsecured: 3,
  debt_not_itemised: 3,
  other_liabilities: 3,
  subordinated: 4,
  preferred: 5,
  common: 6,
};

function classOf({ rank, kind }: Instrument): ClaimClass {
  if (rank !== 'unsecured') return rank;
  return kind === 'convertible_note' ? 'unsecured_convertible' : 'unsecured';
}

/** Principal where it is proven, else the carrying amount, else the principal that one fact states (M18.50). */
function claimOf({ principal, carryingAmount }: Instrument): ExactDecimal | null {
  if (principal.value !== null && principal.status === 'proven') return principal.value;
  return carryingAmount.value ?? principal.value;
}

/** What is owed besides debt and in money. */
function otherLiabilities({ liabilities, debt, deferredTax, shareSettled }: ClaimBase): Fraction {
  if (liabilities === null || debt === null) return zero;
  return exactly(liabilities.minus(debt).minus(deferredTax).minus(shareSettled));
}

/** Own collateral first, its lack into the unsecured rank; loans secured by other assets stand outside (M18.51). */
function paidFromCoins(claimants: readonly Claimant[], pool: Fraction): Paid[] {
  const secured = claimants.filter((each) => each.class === 'secured_by_coins');
  const pledged = sum(secured.map((each) => each.own ?? zero));
  // pledges measured otherwise than C may exceed it: then each has its share of what there is
  const scale = compare(pledged, pool) > 0 ? divide(pool, pledged) : one;
  const first = secured
    .filter((each) => each.own !== null)
    .map((each) => ({ ...each, paid: smaller(multiply(each.own ?? zero, scale), each.claim) }));
  const afterPledges = subtract(pool, sum(first.map(({ paid }) => paid)));
  const unknown = proRata(
    secured.filter((each) => each.own === null),
    afterPledges,
  );
  const free = subtract(afterPledges, sum(unknown.map(({ paid }) => paid)));
  const lacking = first.map((each) => ({ ...each, claim: subtract(each.claim, each.paid) }));
  const others = claimants.filter((each) => each.class !== 'secured_by_coins');
  const unsecured = others.filter(({ rank }) => rank === ranks.unsecured);
  const shares = proRata([...lacking, ...unsecured], free);
  const behind = others.filter(({ rank }) => rank !== null && rank > ranks.unsecured);
  return [
    ...first.map((each, index) => ({ ...each, paid: add(each.paid, shares[index]?.paid ?? zero) })),
    ...unknown,
    ...others.filter(({ rank }) => rank === null).map((each) => ({ ...each, paid: null })),
    ...shares.slice(lacking.length),
    ...paidByRank(behind, subtract(free, sum(shares.map(({ paid }) => paid)))),
  ];
}

function paidByRank(claimants: readonly Claimant[], pool: Fraction): Paid[] {
  const inOrder = [...new Set(claimants.flatMap(({ rank }) => rank ?? []))].toSorted((a, b) => a - b);
  let left = pool;
  return inOrder.flatMap((rank) => {
    const paid = proRata(
      claimants.filter((each) => each.rank === rank),
      left,
    );
    left = subtract(left, sum(paid.map((each) => each.paid)));
    return paid;
  });
}

function proRata<T extends Claimant>(
  claimants: readonly T[],
  pool: Fraction,
): (T & { readonly paid: Fraction })[] {
  const owed = sum(claimants.map(({ claim }) => claim));
  const isFull = compare(owed, pool) <= 0;
  const share = isFull ? one : divide(pool, owed);
  return claimants.map((each) => ({ ...each, paid: multiply(each.claim, share) }));
}

function linesOf(paid: readonly Paid[]): ClaimLine[] {
  const groups = Map.groupBy(paid, (each) => each.class);
  return [...groups]
    .map(([kind, group]): ClaimLine => {
      const claim = sum(group.map((each) => each.claim));
      const isOutside = group.some((each) => each.paid === null);
      const amount = sum(group.map((each) => each.paid ?? zero));
      return {
        class: kind,
        rank: group[0]?.rank ?? null,
        claim: rounded(claim, 6),
        paid: isOutside ? null : rounded(amount, 6),
        recovery: isOutside ? null : published(divide(amount, claim), 6),
        instruments: group.flatMap((each) =>
          each.instrumentId === null
            ? []
            : [
                {
                  instrumentId: each.instrumentId,
                  claim: rounded(each.claim, 6),
                  paid: each.paid === null ? null : rounded(each.paid, 6),
                  recovery: each.paid === null ? null : published(divide(each.paid, each.claim), 6),
                },
              ],
        ),
      };
    })
    .toSorted((a, b) => (a.rank ?? ranks[a.class]) - (b.rank ?? ranks[b.class]));
}

function common(residual: Fraction): ClaimLine {
  const amount = rounded(residual, 6);
  return {
    class: 'common',
    rank: ranks.common,
    claim: amount,
    paid: amount,
    recovery: null,
    instruments: [],
  };
}

function sum(parts: readonly Fraction[]): Fraction {
  return parts.reduce(add, zero);
}
