const BAD_REQUEST_STATUS = 400;

/** The violation of one field of a request. Immutable, so that a reader can create it at start. */
export class Violation {
  /** The errcode of the refusal. */
  readonly errcode: string;
  /** The path of the field, such as `threepids[0].medium`; empty for the value or the body as a whole. */
  readonly path: string;
  /** What is wrong, as the end of a sentence that begins with the path. */
  readonly problem: string;
  /** The status of the refusal. */
  readonly status: number;

  constructor(errcode: string, path: string, problem: string, status = BAD_REQUEST_STATUS) {
    this.errcode = errcode;
    this.path = path;
    this.problem = problem;
    this.status = status;
  }

  /** The same violation within an enclosing value, which holds the invalid one at `parent`. */
  inside(parent: string): Violation {
    const joint = this.path === '' || this.path.startsWith('[') ? '' : '.';
    return new Violation(this.errcode, parent + joint + this.path, this.problem, this.status);
  }

  /** The text for humans. */
  get message(): string {
    return `${this.path === '' ? 'The body' : `'${this.path}'`} ${this.problem}`;
  }
}

/** Returned by a reader for a value that does not have the type of the field. */
export const WRONG = Symbol('wrong type');

/** What a reader of one value returns. */
export type Outcome<T> = T | typeof WRONG | Violation;
