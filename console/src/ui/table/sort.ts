/** By what a list is sorted: the value of `order_by`, and the direction. */
export interface Sort {
  readonly by: string;
  readonly dir: 'f' | 'b';
}
