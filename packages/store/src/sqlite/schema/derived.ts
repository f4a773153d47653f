import { identifier } from '../engine/sql.ts';
import type { Layout } from '../layout/layout.ts';

/** A table, index or trigger that is derived from the documents. */
export interface Derived {
  /** Quoted. */
  readonly name: string;
  readonly create: string;
  /** Fills a new table from the documents that exist. */
  readonly fill?: string;
}

/** A trigger over the table of a collection, named after the structure that it keeps up to date. */
export function trigger(layout: Layout, name: string, when: string, body: string): Derived {
  const quoted = identifier(`${layout.name}/${name}`);
  return { name: quoted, create: `CREATE TRIGGER ${quoted} AFTER ${when} BEGIN ${body}; END` };
}
