/** The revision of a collection, see `Collection.revision`. Rises inside the transaction that changes the collection. */
export interface Revision {
  number: number;
}
