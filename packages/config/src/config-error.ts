/** The configuration cannot be used. */
export class ConfigError extends Error {
  /** Everything that is wrong with it, one line each. None holds a configured value. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}
