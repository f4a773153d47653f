import { move, transferableSymbol, valueSymbol } from 'piscina';

/** A message to another thread that moves a buffer there instead of copying it. */
export function moved<T>(message: T, buffer: ArrayBuffer): T {
  return move({ [transferableSymbol]: [buffer], [valueSymbol]: message } as never) as T;
}
