/**
 * `ORDER BY` terms that bring the newest method version first (M10.4): version numbers compare as numbers, 1.10 is newer
 * than 1.9. Views of the warehouse say it by `internal.method_order`.
 */
export const newestMethodFirst =
  "regexp_extract_all(method_version, '\\d+')::HUGEINT[] DESC, method_version DESC";
