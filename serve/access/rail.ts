import type { AccessRequest, Admit, Refuse } from './accessDecision.ts';

// one way to be paid, in three steps that the gate drives: check, claim, settle (PAYMENTS 1.A)

/** A payment or grant that may be claimed; nothing is written yet. */
export type Payable = {
  readonly kind: 'payable';
  /** Step 2: claims or holds, durably. An admission here serves what was paid before (I5.26). */
  claim(): Promise<Refuse | Admit | Claimed>;
};

/** A claim of ours that still has to be settled. */
export type Claimed = {
  readonly kind: 'claimed';
  /** Step 3: moves the money, or says why not. */
  settle(): Promise<Refuse | Admit>;
};

/** One rail of the gate's table: x402, MPP or grants. */
export type Rail = {
  readonly name: 'x402' | 'mpp' | 'grant';
  /** True when the request carries this rail's credential on a route of its family (P1.11). */
  presented(request: AccessRequest): boolean;
  /**
   * Step 1: everything that can be refused without writing (stage 6).
   *
   * @throws IssuerError for every refusal that needs no header of its own
   */
  check(request: AccessRequest): Promise<Refuse | Admit | Payable>;
};
