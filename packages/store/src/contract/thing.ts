import { type Doc, declareCollection } from '../port/declaration.ts';

/** A part of a thing. */
export interface Part {
  readonly key: string;
  readonly kind?: string;
  readonly size?: number;
}

/** The document of the contract suite, with fields of every kind that a declaration can name. */
export interface Thing extends Doc {
  readonly version: number;
  readonly pending?: readonly { readonly id: string; readonly kind: string }[];
  readonly group?: string;
  readonly name?: string | null;
  readonly rank?: number | null;
  readonly count?: number;
  readonly flag?: boolean | null;
  readonly note?: string | null;
  readonly code?: string;
  readonly folded?: string | null;
  readonly alias?: string | null;
  readonly seen?: { readonly at?: number | null; readonly from?: { readonly ip?: string | null } };
  readonly tags?: readonly string[];
  readonly labels?: readonly (string | null)[];
  readonly parts?: readonly Part[];
}

/** The collection of the contract suite. No index has `note` and `labels`, on purpose. */
export const things = declareCollection<Thing>({
  name: 'contract.things',
  shardKey: null,
  arrays: ['pending', 'tags', 'parts'],
  search: ['folded', 'alias'],
  shared: ['alias'],
  tally: 'group',
  indexes: [
    { name: 'pending', keys: [['pending.id', 1]], sparse: true },
    {
      name: 'by_name',
      keys: [
        ['group', 1],
        ['name', 1],
        ['_id', 1],
      ],
    },
    {
      name: 'by_name_down',
      keys: [
        ['group', 1],
        ['name', -1],
        ['_id', 1],
      ],
    },
    {
      name: 'by_rank',
      keys: [
        ['flag', 1],
        ['rank', 1],
      ],
    },
    {
      name: 'by_count',
      keys: [
        ['flag', 1],
        ['count', 1],
      ],
      sparse: 'rank',
    },
    { name: 'by_seen', keys: [['seen.at', 1]], sparse: true },
    { name: 'code', keys: [['code', 1]], unique: true, sparse: true },
    {
      name: 'by_tag',
      keys: [
        ['tags', 1],
        ['rank', -1],
      ],
    },
    { name: 'part', keys: [['parts.key', 1]], unique: true, sparse: true },
    {
      name: 'by_kind',
      keys: [
        ['parts.kind', 1],
        ['parts.size', 1],
      ],
      sparse: true,
    },
  ],
});

/** A thing with the required fields. */
export const thing = (_id: string, fields: Omit<Partial<Thing>, '_id'> = {}): Thing => ({
  _id,
  version: 1,
  ...fields,
});

/** A document that is written along with a change of a thing. */
export interface Companion extends Doc {
  readonly count?: number;
  readonly mark?: string;
}

/** The collection of companions. */
export const companions = declareCollection<Companion>({
  name: 'contract.companions',
  shardKey: '_id',
  indexes: [{ name: 'mark', keys: [['mark', 1]] }],
});
