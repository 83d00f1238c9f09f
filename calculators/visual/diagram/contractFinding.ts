/** What is wrong or doubtful in a contract; `path` is a JSON pointer (I4.VIS.10). */
export type ContractFinding = {
  readonly code:
    | 'too_large'
    | 'not_json'
    | 'unknown_member'
    | 'invalid_value'
    | 'out_of_range'
    | 'duplicate_id'
    | 'unknown_reference'
    | 'self_loop'
    | 'cell_missing'
    | 'cell_taken'
    | 'start_missing'
    | 'end_before_start'
    | 'owner_missing'
    | 'two_parents'
    | 'cycle'
    | 'glyph_outside_font'
    | 'rank_not_kept'
    | 'margin_too_wide';
  readonly path: string;
  readonly message: string;
};
