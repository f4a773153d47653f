import { type Aggregate, PENDING_INDEX } from '../aggregate.ts';
import { type Doc, declareCollection } from '../declaration.ts';

/** A part of a thing. */
export interface Part {
  readonly key: string;
  readonly kind?: string;
  readonly size?: number;
}

/** The document of the contract suite: something of everything that a declaration knows. */
export interface Thing extends Aggregate {
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

/** The collection of the contract suite. `note` and `labels` are deliberately known to no index. */
export const things = declareCollection<Thing>({
  name: 'contract.things',
  shardKey: '_id',
  arrays: ['pending', 'tags', 'parts'],
  search: ['folded', 'alias'],
  shared: ['alias'],
  tally: 'group',
  indexes: [
    PENDING_INDEX,
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

/** A thing with what every aggregate has. */
export const thing = (_id: string, fields: Omit<Partial<Thing>, '_id'> = {}): Thing => ({
  _id,
  version: 1,
  ...fields,
});

/** A document that goes along with a thing. */
export type Companion = Doc;

/** The collection that companions are in. */
export const companions = declareCollection<Companion>({
  name: 'contract.companions',
  shardKey: '_id',
  indexes: [],
});
