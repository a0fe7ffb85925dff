/** The type of the values that a JSON Schema describes. */
import {
  anyObject,
  closed,
  type FromSchema,
  type flag,
  integer,
  listOf,
  mapOf,
  number,
  object,
  objectOrNull,
  text,
  type textOrNull
} from 'svc-kernel/schemas'
import { expect, test } from 'tstyche'

test('values', () => {
  expect<FromSchema<typeof text>>().type.toBe<string>()
  expect<FromSchema<typeof integer>>().type.toBe<number>()
  expect<FromSchema<typeof number>>().type.toBe<number>()
  expect<FromSchema<typeof flag>>().type.toBe<boolean>()
  expect<FromSchema<typeof textOrNull>>().type.toBe<string | null>()
  expect<FromSchema<{ readonly enum: readonly ['a', 'b'] }>>().type.toBe<'a' | 'b'>()
  expect<FromSchema<{ readonly type: 'boolean'; readonly const: true }>>().type.toBe<true>()
  expect<FromSchema<Record<never, never>>>().type.toBe<unknown>()
})

const inner = object({ id: text }, { note: text })
const outer = object({ items: listOf(inner), last: objectOrNull({ at: integer }), more: anyObject, by: mapOf(number) })

test('objects and lists', () => {
  expect<FromSchema<typeof inner>>().type.toBe<{ readonly id: string; readonly note?: string }>()
  expect<FromSchema<typeof outer>>().type.toBe<{
    readonly items: ReadonlyArray<{ readonly id: string; readonly note?: string }>
    readonly last: { readonly at: number } | null
    readonly more: Readonly<Record<string, unknown>>
    readonly by: Readonly<Record<string, number>>
  }>()
  const body = closed({ a: text }, { b: text })
  expect<FromSchema<typeof body>>().type.toBe<{ readonly a: string; readonly b?: string }>()
})

test('choices', () => {
  const either = { anyOf: [inner, object({ off: { type: 'boolean', const: true } })] } as const
  expect<FromSchema<typeof either>>().type.toBe<
    { readonly id: string; readonly note?: string } | { readonly off: true }
  >()
})
