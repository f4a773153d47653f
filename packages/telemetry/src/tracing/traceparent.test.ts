import type { Random } from '@steward/kernel';
import { expect, it } from 'vitest';
import { parseTraceparent, traceparent } from './traceparent.ts';

const random: Random = { bytes: (size) => Buffer.alloc(size, 0xab), below: () => 0 };
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const NEW_TRACE = `00-${'ab'.repeat(16)}-${'ab'.repeat(8)}-00`;

it.each([`00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-00`])('forwards %s as not sampled', (inbound) => {
  expect(traceparent(inbound, random)).toBe(`00-${TRACE}-${PARENT}-00`);
});

it('forwards the known part of a later version', () => {
  expect(traceparent(`cc-${TRACE}-${PARENT}-01-more`, random)).toBe(`00-${TRACE}-${PARENT}-00`);
});

it.each([
  undefined,
  '',
  `ff-${TRACE}-${PARENT}-01`,
  `00-${'0'.repeat(32)}-${PARENT}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  `00-${TRACE}-${PARENT}-01-more`,
  `00-${TRACE}-${PARENT}`,
])('replaces %s by a new trace', (inbound) => {
  expect(traceparent(inbound, random)).toBe(NEW_TRACE);
});

it.each([
  ['00', false],
  ['01', true],
  ['02', false],
  ['03', true],
])('reads whether the flags %s say that the trace is recorded', (flags, sampled) => {
  expect(parseTraceparent(`00-${TRACE}-${PARENT}-${flags}`)).toEqual({
    traceId: TRACE,
    spanId: PARENT,
    sampled,
  });
});
