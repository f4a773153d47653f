import { UnstyledButton } from '@mantine/core';
import type { Entry } from './entry.ts';

interface LineProps {
  /** By which the field says that it is selected. `Spotlight.Action` has no id. */
  readonly id: string;
  readonly entry: Entry;
  readonly selected: boolean;
  readonly onOpen: () => void;
}

/** One line of the palette. */
export function Line({ id, entry: { icon: Icon, label, description, name }, selected, onOpen }: LineProps) {
  return (
    <UnstyledButton
      id={id}
      role="option"
      aria-selected={selected}
      tabIndex={-1}
      className="palette-line"
      // By these the keys of the field find the lines.
      data-action
      data-selected={selected || undefined}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      <Icon size={18} aria-hidden />
      <span className="palette-text">
        <span className="palette-label">
          <bdi>{label}</bdi>
        </span>
        {description !== undefined && (
          <small>
            <bdi>{description}</bdi>
            {name !== undefined && (
              <>
                {' · '}
                <bdi>{name}</bdi>
              </>
            )}
          </small>
        )}
      </span>
    </UnstyledButton>
  );
}
