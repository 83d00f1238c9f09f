// What the thirteen golden issuers must give when they are compared with each other (METHODOLOGY M12.11): every printed
// digit, of golden vectors golden-1.1. An empty cell is a figure that cannot be computed.

/** ticker | cash | current liabilities | data source | quality | debt coverage | units basis | core tier (stipulated, M13.6) */
export const stipulatedTable = `
MSTR | 54285000 | 324090000 | linkbase_rooted_facts | High | resolved_nonzero | fair_value_implied_btc | Tower
CLSK | 34553000 | 276819000 | linkbase_rooted_facts | Medium | resolved_nonzero | fair_value_implied_btc | Oscillator
DFDV | 8801000 | 85549000 | linkbase_rollup | High | resolved_nonzero | fair_value_implied_other | Tower
BTBT | 179118182 | 38368041 | linkbase_rooted_facts | High | resolved_nonzero | fair_value_implied_eth | Oscillator
FLD | 6663463 | 12951139 | linkbase_rollup | High | resolved_nonzero | reported_quantity | Tower
NAKA | 24185083 | 214459522 | linkbase_rooted_facts | High | resolved_nonzero | reported_quantity | Oscillator
UPXI |  | 64629034 | linkbase_rollup | Medium | resolved_nonzero | reported_quantity | Oscillator
HSDT | 124051000 | 3139000 | linkbase_rooted_facts | High | legitimate_zero_debt | fair_value_implied_other | Oscillator
BTCS | 4486051 | 62351266 | linkbase_rooted_facts | Medium | resolved_nonzero | fair_value_implied_eth | Oscillator
KULR | 20588596 | 6929087 | linkbase_rooted_facts | High | resolved_nonzero | reported_quantity | Tower
BMNR | 887678000 | 137128000 | linkbase_rooted_facts | High | legitimate_zero_debt | fair_value_implied_eth | Oscillator
LITS | 10113000 | 1068000 | linkbase_rooted_facts | High | legitimate_zero_debt | fair_value_implied_other | Oscillator
FGNX | 7495000 |  | linkbase_rooted_facts | Medium | resolved_nonzero | reported_quantity | Oscillator
`;

/** ticker | ap | ecs | lsi | ap_z | ecs_z | lsi_z | mp_z | own_z | st_z | resonance | risk tier | reasons */
export const filingTable = `
MSTR | 0.105851 | 0.424891 | 0.008802 | 0.0 | -0.087 | -0.6784 | -0.1409 | -0.1971 | -0.1831 | Neutral | LOW | 
CLSK | 0.565169 | 0.627263 | 0.393326 | 2.9201 | 0.2358 | 1.9053 | 0.0221 | 1.5299 | 1.1529 | Neutral | CRITICAL | 
DFDV | 0.368318 | 0.066949 | 0.309701 | 1.6686 | -0.6578 | 1.3434 | 0.1417 | 1.2233 | 0.9529 | Neutral | HIGH | 
BTBT | 0.000463 | 0.753669 | 0.093616 | -0.67 | 0.4373 | -0.1086 | 0.0981 | -0.4053 | -0.2795 | Neutral | LOW | 
FLD | 0.377437 | 0.047914 | 0.125926 | 1.7266 | -0.6881 | 0.1086 | -0.1333 | 0.8411 | 0.5975 | Neutral | HIGH | 
NAKA | 0.284939 | 0.44123 | 0.498225 | 1.1385 | -0.0609 | 2.6102 | -0.126 | 1.2699 | 0.9209 | Neutral | HIGH | 
UPXI | 0.403284 | 0.047324 | 0.279508 | 1.8909 | -0.6891 | 1.1405 | 0.1431 | 1.2402 | 0.9659 | Neutral | HIGH | 
HSDT | 0.0 | -1.0 | 0.010439 | -0.6729 | -2.3592 | -0.6674 | 0.1103 | 0.3396 | 0.2823 | Neutral | LOW | 
BTCS | 0.20748 | 0.517612 | 0.345512 | 0.6461 | 0.0609 | 1.584 | 0.2567 | 0.7231 | 0.6065 | Neutral | LOW | 
KULR | 0.031042 | 0.915396 | 0.082227 | -0.4756 | 0.6953 | -0.1851 | -0.1094 | -0.452 | -0.3664 | Neutral | LOW | 
BMNR | 0.0 | 0.962016 | 0.021987 | -0.6729 | 0.7696 | -0.5899 | 0.7849 | -0.6775 | -0.3119 | Neutral | LOW | 
LITS | 0.0 | 0.983221 | 0.017703 | -0.6729 | 0.8034 | -0.6186 | 0.2237 | -0.6983 | -0.4678 | Neutral | LOW | 
FGNX | 0.009073 |  |  | -0.6153 |  |  | 0.225 | -0.6153 | -0.1952 | Neutral | LOW | 
`;

/** ticker | ap | ecs | lsi | ap_z | ecs_z | lsi_z | mp_z | own_z | st_z | resonance | risk tier | reasons */
export const liveTable = `
MSTR | 0.167212 | 0.069097 | 0.014295 | 0.0 | -0.0607 | -0.6766 | 2.5755 | -0.2053 | 0.4899 | Dissonant | LOW | 
CLSK | 0.771691 | 0.59786 | 0.53947 | 2.4327 | 0.4667 | 1.7852 | 0.672 | 1.2504 | 1.1058 | Neutral | CRITICAL | 
DFDV | 0.73021 | -0.965247 | 0.605825 | 2.2658 | -1.0923 | 2.0963 | 1.6984 | 1.8181 | 1.7882 | Aligned | CRITICAL | adverse_resonance,shocked_equity_negative
BTBT | 0.00094 | 0.721131 | 0.126942 | -0.6692 | 0.5896 | -0.1485 | 0.3662 | -0.4691 | -0.2603 | Neutral | LOW | 
FLD | 0.558153 | -0.450049 | 0.190314 | 1.5733 | -0.5784 | 0.1485 | 2.3579 | 0.7667 | 1.1645 | Aligned | CRITICAL | shocked_equity_negative
NAKA | 0.43009 | 0.190776 | 0.69639 | 1.058 | 0.0607 | 2.5208 | 2.1609 | 1.1727 | 1.4198 | Aligned | CRITICAL | adverse_resonance
UPXI | 0.788335 | -1.0 | 0.575977 | 2.4997 | -1.1269 | 1.9564 | 1.7377 | 1.861 | 1.8302 | Aligned | CRITICAL | adverse_resonance,shocked_equity_negative
HSDT | 0.0 | -1.0 | 0.015845 | -0.6729 | -1.1269 | -0.6693 | 1.0366 | -0.0718 | 0.2053 | Dissonant | LOW | 
BTCS | 0.384079 | 0.056583 | 0.595131 | 0.8728 | -0.0732 | 2.0462 | 1.548 | 0.9974 | 1.1351 | Aligned | HIGH | 
KULR | 0.050117 | 0.888218 | 0.113672 | -0.4713 | 0.7563 | -0.2107 | 1.7554 | -0.4794 | 0.0793 | Dissonant | LOW | 
BMNR | 0.0 | 0.947954 | 0.030073 | -0.6729 | 0.8158 | -0.6026 | 1.4278 | -0.6971 | -0.1659 | Dissonant | LOW | 
LITS | 0.0 | 0.972798 | 0.029718 | -0.6729 | 0.8406 | -0.6043 | 1.7591 | -0.7059 | -0.0897 | Dissonant | LOW | 
FGNX | 0.018341 |  |  | -0.5991 |  |  | 1.2087 | -0.5991 | 0.3048 | Dissonant | LOW | 
`;

/** ticker | live_stress_delta_24h | live_stress_delta_7d | stress_velocity | peer_rank | peer_percentile */
export const motionTable = `
MSTR | 0.002844 | 0.040163 | rising | 7 | 50.0
CLSK | 0.018177 | 0.256729 | rising | 2 | 11.54
DFDV | 0.024116 | 0.388315 | rising | 3 | 19.23
BTBT | 1.9e-05 | 0.000313 | rising | 10 | 73.08
FLD | 0.011678 | 0.164936 | rising | 4 | 26.92
NAKA | 0.008396 | 0.118586 | rising | 5 | 34.62
UPXI | 0.026902 | 0.433163 | rising | 1 | 3.85
HSDT | 0.0 | 0.0 | stable | 11 | 88.46
BTCS | 0.009364 | 0.156018 | rising | 6 | 42.31
KULR | 0.000803 | 0.011341 | rising | 8 | 57.69
BMNR | 0.0 | 0.0 | stable | 12 | 88.46
LITS | 0.0 | 0.0 | stable | 13 | 88.46
FGNX | 0.00037 | 0.006167 | rising | 9 | 65.38
`;

/** ticker | alpha | clean, resilience, fit, treasury | inverse, delta, buffer, cushion | align, peer, bonus, tower | ratio, net, disclosure | class | posture */
export const alphaTable = `
MSTR | 63 | 92 64 15 84 | 64 73 100 7 | 0 50 14 0 | 99 82 60 | strong | regime_dependent
CLSK | 28 | 80 9 4 22 | 0 0 0 60 | 0 12 4 0 | 26 0 60 | weak | stress_watch
DFDV | 38 | 100 0 6 47 | 0 0 0 0 | 0 19 8 0 | 88 0 60 | moderate | stress_watch
BTBT | 78 | 92 96 64 61 | 100 100 100 72 | 99 73 10 0 | 23 100 60 | moderate | resilience_candidate
FLD | 43 | 100 0 8 66 | 0 0 0 0 | 0 27 11 0 | 91 25 100 | moderate | stress_watch
NAKA | 45 | 92 6 11 72 | 0 21 0 19 | 0 35 12 0 | 83 46 100 | strong | stress_watch
UPXI | 36 | 88 0 3 56 | 0 0 0 0 | 0 4 10 0 | 90 0 100 | moderate | stress_watch
HSDT | 80 | 92 85 69 74 | 100 100 100 0 | 100 88 13 0 | 54 100 60 | strong | resilience_candidate
BTCS | 42 | 80 4 12 72 | 6 0 0 6 | 0 42 12 0 | 96 53 60 | strong | stress_watch
KULR | 78 | 92 92 43 85 | 90 92 100 89 | 59 58 14 0 | 68 95 100 | strong | resilience_candidate
BMNR | 87 | 92 99 69 88 | 100 100 100 95 | 100 88 15 0 | 89 100 60 | strong | resilience_candidate
LITS | 86 | 92 100 69 83 | 100 100 100 97 | 100 88 14 0 | 78 100 60 | strong | resilience_candidate
FGNX | 77 | 80 82 57 89 | 96 96 100 0 | 85 65 15 0 | 75 98 100 | strong | resilience_candidate
`;

/** As above under a stipulated building tower, modal rising, and a neutral regime. */
export const buildingTowerTable = `
MSTR | 71 | 92 64 44 84 | 64 73 100 7 | 44 50 56 25 | 99 82 60 | strong
CLSK | 30 | 80 9 9 22 | 0 0 0 60 | 0 12 15 25 | 26 0 60 | weak
DFDV | 40 | 100 0 13 47 | 0 0 0 0 | 0 19 31 25 | 88 0 60 | moderate
BTBT | 80 | 92 96 73 61 | 100 100 100 72 | 100 73 41 25 | 23 100 60 | moderate
FLD | 45 | 100 0 17 66 | 0 0 0 0 | 0 27 44 25 | 91 25 100 | moderate
NAKA | 47 | 92 6 20 72 | 0 21 0 19 | 0 35 48 25 | 83 46 100 | strong
UPXI | 38 | 88 0 10 56 | 0 0 0 0 | 0 4 38 25 | 90 0 100 | moderate
HSDT | 82 | 92 85 78 74 | 100 100 100 0 | 100 88 50 25 | 54 100 60 | strong
BTCS | 44 | 80 4 21 72 | 6 0 0 6 | 0 42 48 25 | 96 53 60 | strong
KULR | 83 | 92 92 65 85 | 90 92 100 89 | 84 58 57 25 | 68 95 100 | strong
BMNR | 89 | 92 99 80 88 | 100 100 100 95 | 100 88 59 25 | 89 100 60 | strong
LITS | 88 | 92 100 79 83 | 100 100 100 97 | 100 88 56 25 | 78 100 60 | strong
FGNX | 80 | 80 82 71 89 | 96 96 100 0 | 94 65 60 25 | 75 98 100 | strong
`;

/** The cells of a table by ticker. */
export function byTicker(table: string): ReadonlyMap<string, readonly string[]> {
  const lines = table.trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [ticker = '', ...cells] = line.split('|').map((cell) => cell.trim());
      return [ticker, cells];
    }),
  );
}

/** A number, or null for an empty cell. */
export function figure(cell: string | undefined): number | null {
  return cell === undefined || cell === '' ? null : Number(cell);
}
