/** Random JSON, and criteria of paths into it. */
import fc from 'fast-check'

const text = fc.constantFrom('', 'a', 'A', '\ue000', '\u{1f600}', '10')
const integer = fc.constantFrom(-1, 0, 1, 10)
const float = fc.constantFrom(-1.5, 0.1, 0.30000000000000004, 1e300)
const scalar = fc.oneof(text, integer, float, fc.boolean())

const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null, freq: 4 })

/** Within `data`. */
export const PATHS: readonly string[] = ['data.x', 'data.y.z', 'data.l.0', 'data.l']

/** Any kind at each of the paths, so that each meets the others. */
export const jsonValue: fc.Arbitrary<unknown> = fc.record(
  {
    x: orNull<unknown>(scalar),
    y: orNull<unknown>(fc.oneof(text, fc.record({ z: scalar }))),
    l: fc.array(scalar, { maxLength: 2 })
  },
  { requiredKeys: [], noNullPrototype: true }
)

const ordered = fc.oneof(text, integer, float)
const among = fc.array(orNull<unknown>(scalar), { maxLength: 3 })

export function pathCriterion(): fc.Arbitrary<unknown> {
  const shape = {
    ...{ $eq: orNull<unknown>(scalar), $ne: orNull<unknown>(scalar), $in: among, $nin: among },
    ...{ $gt: ordered, $gte: ordered, $lt: ordered, $lte: ordered, $null: fc.boolean(), $exists: fc.boolean() }
  }
  const operators = fc
    .record<Record<string, unknown>>(shape, { requiredKeys: [] })
    .filter((given) => Object.keys(given).length > 0)
  return fc.oneof(orNull<unknown>(scalar), among, operators)
}
