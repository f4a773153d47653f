/** JSON values that are of the wrong type, or unusual, for most fields. */
export const ODD_VALUES: readonly string[] = [
  ...['null', 'true', '0', '-1', '1.0', '1e400', '9007199254740993'],
  ...['""', '" "', '"\\u0000"', '"\\udfff"', '"__proto__"'],
  ...['[]', '[null]', '[[]]', '[{}]', '["\\u0000"]', '{}', '{"":{}}'],
];
