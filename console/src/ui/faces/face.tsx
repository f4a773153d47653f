import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import './faces.css';

interface FaceProps {
  readonly avatar: ReactNode;
  readonly name: string;
  /** The id, unless it is the name. */
  readonly id: string | undefined;
  /** What is said of it next to its name. */
  readonly marks?: ReactNode;
}

/** A picture, and a name above the id. */
export function Face({ avatar, name, id, marks }: FaceProps) {
  return (
    <Group className="face" gap="xs" wrap="nowrap" component="span">
      {avatar}
      <span className="face-words">
        <span className="face-line">
          <bdi className="face-name">{name}</bdi>
          {marks}
        </span>{' '}
        {id !== undefined && <bdi className="face-id">{id}</bdi>}
      </span>
    </Group>
  );
}
