/** With what the program ends. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  /** Some of what was asked for is done, and the rest is not. */
  partly: 5,
  /** Ended by Ctrl-C, as a shell counts it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a message and an exit code. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT.failed, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Returns the failure of a command that is called in a way it cannot be. */
export function usageFailure(message: string): CommandFailure {
  return new CommandFailure(message, EXIT.usage);
}

/** The reason with which Ctrl-C aborts. What goes on in the server is said by the command that waited for it. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';

  constructor() {
    super('interrupted');
  }
}

/** Ends the command early in success, for example because only the request was to be shown. */
export class Finished extends Error {
  override readonly name = 'Finished';
}
