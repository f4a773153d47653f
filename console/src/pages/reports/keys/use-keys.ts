import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useRef } from 'react';

/** What keys do, by their names (`KeyboardEvent.key`). */
export type Keys = Readonly<Record<string, () => void>>;

/** What takes letters, or has its own keys. */
const TAKES_KEYS =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="combobox"], [role="textbox"]';
/** Where keys that move have no other meaning: nothing has the focus. */
const IDLE = 'body, main';
/** Keys that links, buttons and what scrolls take for themselves. */
const MOVING: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'Enter']);
/** While one of these is open, keys are for it. */
const ABOVE_THE_PAGE = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Whether single keys give orders, which users of speech input and some keyboards must be able to turn off; kept in this browser. */
export function useKeysEnabled(): readonly [boolean, (enabled: boolean) => void] {
  const [enabled, setEnabled] = useLocalStorage({
    key: 'steward.keys',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
  return [enabled, setEnabled];
}

/** Does what single keys stand for: not while text is typed, a dialog or a menu is open, or another key is held. */
export function useKeys(keys: Keys): void {
  const [enabled] = useKeysEnabled();
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!enabled) return undefined;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof Element ? event.target : document.body;
      // A dialog that this very key has closed is not in the document any more.
      if (target.closest(`${TAKES_KEYS}, ${ABOVE_THE_PAGE}`) !== null) return;
      if (document.querySelector(ABOVE_THE_PAGE) !== null) return;
      if (MOVING.has(event.key) && !target.matches(IDLE)) return;
      const act = latest.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [enabled]);
}
