/** What is wrong with a request, as found by a reader. Immutable, so that one may be made at start. */
export class Flaw {
  /** The errcode it is answered with. */
  readonly errcode: string;
  /** Where it is, as in `threepids[0].medium`; empty for the value or the body as a whole. */
  readonly path: string;
  /** What is wrong, as the end of a sentence that begins with the place. */
  readonly problem: string;

  constructor(errcode: string, path: string, problem: string) {
    this.errcode = errcode;
    this.path = path;
    this.problem = problem;
  }

  /** The same flaw as seen from the value around it, where the flawed one stands at `place`. */
  inside(place: string): Flaw {
    const joint = this.path === '' || this.path.startsWith('[') ? '' : '.';
    return new Flaw(this.errcode, place + joint + this.path, this.problem);
  }

  /** The text for people. */
  get message(): string {
    return `${this.path === '' ? 'The body' : `'${this.path}'`} ${this.problem}`;
  }
}

/** Returned by a reader in place of a value that is of another type than the field. */
export const WRONG = Symbol('wrong type');

/** What a reader of one value returns. */
export type Outcome<T> = T | typeof WRONG | Flaw;
