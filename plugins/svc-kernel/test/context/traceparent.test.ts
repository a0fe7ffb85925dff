/** `traceparent` by hand: valid and malformed values of W3C Trace Context, level 1, sections 3.2.2 and 4. */
import t from 'tap'
import { readTraceparent } from '../../src/plugin.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

const VALID: readonly (readonly [header: string, read: string])[] = [
  [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
  [`00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
  [`  00-${TRACE}-${SPAN}-01\t`, `00-${TRACE}-${SPAN}-01`],
  [`00-${TRACE}-${SPAN}-ff`, `00-${TRACE}-${SPAN}-01`],
  [`00-${TRACE}-${SPAN}-fe`, `00-${TRACE}-${SPAN}-00`],
  [`cc-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
  [`cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`, `00-${TRACE}-${SPAN}-01`],
  [`cc-${TRACE}-${SPAN}-01-`, `00-${TRACE}-${SPAN}-01`]
]

const MALFORMED: readonly unknown[] = [
  undefined,
  '',
  '00',
  TRACE,
  `${TRACE}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-`,
  `00-${TRACE}-${SPAN}-1`,
  `00-${TRACE}-${SPAN}-011`,
  `00-${TRACE}-${SPAN}-01-what-the-future-will-be-like`,
  `00-${TRACE}-${SPAN}-01-`,
  `cc-${TRACE}-${SPAN}-01.what-the-future-will-be-like`,
  `cc-${TRACE}-${SPAN}-01what`,
  `ff-${TRACE}-${SPAN}-01`,
  `0-${TRACE}-${SPAN}-01`,
  `000-${TRACE}-${SPAN}-01`,
  `.0-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN.toUpperCase()}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.slice(1)}-${SPAN}-01`,
  `00-${TRACE}0-${SPAN}-01`,
  `00-.${TRACE.slice(1)}-${SPAN}-01`,
  `00-${TRACE}-${SPAN.slice(1)}-01`,
  `00-${TRACE}-${SPAN}0-01`,
  `00-${TRACE}-${SPAN}-0G`,
  `00-${TRACE}-${SPAN}-.0`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
  `00_${TRACE}_${SPAN}_01`,
  [`00-${TRACE}-${SPAN}-01`]
]

t.test('valid values are read as version 00, with the one flag that it knows', async (t) => {
  for (const [header, read] of VALID) t.equal(readTraceparent(header), read, header)
})

t.test('malformed, repeated and missing ones are no trace', async (t) => {
  for (const header of MALFORMED) t.equal(readTraceparent(header), null, String(header))
})
