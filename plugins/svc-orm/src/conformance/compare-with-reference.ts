/**
 * Random rows, criteria, orders and pages on a driver and on the memory engine:
 * both must find the same. fast-check shrinks a difference to its smallest form.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { memoryDatabase } from 'svc-stores/table'
import type { AnyRow } from '../entities/row-of.ts'
import { EntityRepositories } from '../repository/entity-repositories.ts'
import type { Repository } from '../repository/repository.ts'
import { compareRelated } from './compare-related.ts'
import { type ConformanceSubject, emptyTables, openContext } from './conformance-suite.ts'
import { jsonValue, PATHS, pathCriterion } from './random-json.ts'

/** Few values, so that criteria meet rows; among them those that sort and match in odd ways. */
const TEXTS = [
  '',
  'a',
  'A',
  'ab',
  'b',
  '%',
  '_',
  'a_',
  '\\',
  'é',
  'e\u0301',
  // By code points the first two come first, by the units of UTF-16 the others.
  '\ue000',
  '\uffff',
  '\u{10000}',
  '\u{1f600}',
  "'",
  '"',
  '10',
  '9'
]
const text = fc.constantFrom(...TEXTS)
const integer = fc.constantFrom(-10, -1, 0, 1, 2, 9, 10, Number.MAX_SAFE_INTEGER)
const float = fc.constantFrom(-1.5, -1, 0, 0.1, 0.30000000000000004, 1, 2.5, 1e300)
const date = fc.constantFrom(0, 1, 1000, 1_700_000_000_000, -1).map((ms) => new Date(ms))

const exact = fc.constantFrom('-10.50', '0.00', '0.01', '9.00', '10.00', '92233720368547758.07')
const big = fc.constantFrom('-9223372036854775808', '-1', '0', '9', '10', '9007199254740993', '9223372036854775807')

const SCALARS = {
  ...{ label: text, body: text, total: integer, ratio: float, open: fc.boolean(), at: date },
  ...{ amount: exact, big }
}
const LISTS = { tags: text, numbers: integer }

const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null, freq: 4 })

const row = fc.record({
  ...Object.fromEntries(Object.entries(SCALARS).map(([name, values]) => [name, orNull<unknown>(values)])),
  data: orNull<unknown>(jsonValue),
  ...Object.fromEntries(
    Object.entries(LISTS).map(([name, values]) => [name, orNull<unknown>(fc.array<unknown>(values, { maxLength: 3 }))])
  )
})

const COMPARISONS = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte']
const BOTH = { minKeys: 1, maxKeys: 2, noNullPrototype: true }

/** Fields of the same kind, by name. */
const SUCH: Readonly<Record<string, readonly string[]>> = {
  ...{ label: ['body', 'label'], body: ['label'], total: ['count'], at: ['at'], big: ['big'] }
}

function operators(name: string, values: fc.Arbitrary<unknown>, isOrdered: boolean): fc.Arbitrary<unknown> {
  const isText = name === 'label' || name === 'body'
  const list = fc.array(orNull(values), { maxLength: 4 })
  const ordered = isOrdered ? { $gt: values, $gte: values, $lt: values, $lte: values } : {}
  const pattern = fc
    .array(fc.constantFrom('%', '_', 'a', 'b', 'A', '\\%', '\\_', '\\\\', 'é', '\u{1f600}'), { maxLength: 4 })
    .map((parts) => parts.join(''))
  const such = SUCH[name] ?? []
  const shape = {
    $eq: orNull(values),
    $ne: orNull(values),
    $in: list,
    $nin: list,
    $null: fc.boolean(),
    ...ordered,
    ...(isText ? { $like: pattern } : {}),
    ...(such.length === 0
      ? {}
      : { $field: fc.dictionary(fc.constantFrom(...COMPARISONS), fc.constantFrom(...such), BOTH) })
  }
  return fc
    .record<Record<string, unknown>>(shape, { requiredKeys: [] })
    .filter((given) => Object.keys(given).length > 0)
}

function criterion(name: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const isOrdered = name in SCALARS && name !== 'open'
  const list = fc.array(orNull(values), { maxLength: 4 })
  return fc.oneof(orNull(values), list, operators(name, values, isOrdered))
}

/** At most two fields: more of them find nothing most of the time. */
const fields = fc
  .uniqueArray(
    fc.oneof(
      ...Object.entries({ ...SCALARS, ...LISTS }).map(([name, values]) =>
        fc.tuple(fc.constant(name), criterion(name, values))
      ),
      fc.tuple(fc.constantFrom(...PATHS), pathCriterion())
    ),
    { maxLength: 2, selector: ([name]) => name }
  )
  .map((pairs) => Object.fromEntries<unknown>(pairs))

const { criteria } = fc.letrec<{ criteria: Record<string, unknown> }>((tie) => {
  const part = tie('criteria').filter(asksForSomething)
  const some = fc.array(part, { maxLength: 2 })
  const joins = fc.record<Record<string, unknown>>({ $and: some, $or: some, $not: part }, { requiredKeys: [] })
  const joined = fc.tuple(fields, joins).map(([own, others]) => ({ ...own, ...others }))
  return {
    criteria: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 3, arbitrary: fields },
      { weight: 1, arbitrary: joined }
    )
  }
})

/** Within a join, criteria that say nothing are refused. */
function asksForSomething(criteria: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(criteria).some(([name, value]) => name !== '$and' || (value as unknown[]).length > 0)
}

const query = fc.record({
  criteria,
  order: fc.uniqueArray(
    fc.tuple(
      fc.constantFrom('label', 'label', 'data.x', ...Object.keys(SCALARS)),
      fc.constantFrom<'ASC' | 'DESC'>('ASC', 'DESC')
    ),
    { maxLength: 3, selector: ([field]) => field }
  ),
  limit: fc.option(fc.nat(8), { nil: undefined, freq: 1 }),
  offset: fc.nat(3)
})

const at = fc.constantFrom('year', 'quarter', 'month', 'week', 'day', 'hour').chain((unit) => {
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu')
  return zone.map((name) => ({ [unit]: 'at', zone: name, as: 'moment' }))
})
const measured = fc.constantFrom(...Object.keys(SCALARS))
const measure = fc.oneof(
  fc.constant({ count: true }),
  fc.constant({ sum: 'count' }),
  measured.map((name) => ({ count: name })),
  measured.map((name) => ({ countDistinct: name })),
  measured.filter((name) => name !== 'open').map((name) => ({ min: name })),
  measured.filter((name) => name !== 'open').map((name) => ({ max: name }))
)
const someOf = fc.tuple(measure, fc.option(criteria, { nil: undefined })).map(([each, where]) => {
  return where === undefined ? each : { ...each, where }
})
const bound = fc.record<Record<string, unknown>>(
  { $gt: fc.nat(3), $lt: fc.nat(6), $ne: fc.nat(3), $in: fc.array(fc.nat(4)) },
  { requiredKeys: [] }
)
const grouping = fc.record({
  criteria,
  by: fc.uniqueArray(fc.oneof(fc.constantFrom('label', 'open', 'amount', 'big'), at), {
    maxLength: 2,
    selector: (key) => (typeof key === 'string' ? key : 'moment')
  }),
  measures: fc.record({ rows: fc.constant({ count: true }), one: someOf, other: someOf }),
  having: fc.option(
    bound.filter((given) => Object.keys(given).length > 0).map((rows) => ({ $or: [{ rows }, { $not: { rows: 1 } }] })),
    { nil: undefined }
  ),
  direction: fc.constantFrom<'ASC' | 'DESC'>('ASC', 'DESC'),
  limit: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined })
})

/** None carries a value past what its field holds: how many rows a refused update has changed differs among documents. */
const factor = fc.constantFrom('0.5', '0.1', '-0.25', '0.999999999999999', '1', '0', '-.05')
const changes = fc
  .record<Record<string, unknown>>(
    {
      count: fc.oneof(
        fc.nat(9).map(($add) => ({ $add })),
        factor.map(($mul) => ({ $mul }))
      ),
      total: fc.oneof(
        fc.nat(9).map(($sub) => ({ $sub })),
        factor.map(($mul) => ({ $mul })),
        integer.map(($max) => ({ $max }))
      ),
      ratio: factor.map(($mul) => ({ $mul })),
      amount: fc.oneof(
        factor.map(($mul) => ({ $mul })),
        exact.map(($min) => ({ $min }))
      ),
      big: factor.map(($mul) => ({ $mul })),
      at: date.map(($max) => ({ $max })),
      label: orNull(text)
    },
    { requiredKeys: [] }
  )
  .filter((given) => Object.keys(given).length > 0)

export interface ComparisonOptions {
  /** How many tables are filled. Default 25, each asked eight times. */
  readonly runs?: number
}

/** @throws when the driver finds other rows, another order or another count than the memory engine */
export async function compareWithReference(
  subject: ConformanceSubject,
  { runs = 25 }: ComparisonOptions = {}
): Promise<void> {
  const driver = await openContext(subject)
  const reference = await openContext({ open: openMemory })
  const { things } = driver
  const { things: expected } = reference
  const property = fc.asyncProperty(
    fc.array(row, { maxLength: 16, size: 'max' }),
    fc.array(query, { minLength: 1, maxLength: 8, size: 'max' }),
    fc.array(grouping, { maxLength: 4, size: 'max' }),
    fc.array(fc.tuple(criteria, changes), { maxLength: 3, size: 'max' }),
    async (rows, queries, groupings, updates) => {
      await emptyTables(driver)
      await emptyTables(reference)
      // By number, as ids differ: rows are created in the same order on both.
      const numbered = rows.map((each, count) => ({ ...each, count }))
      await things.createMany(numbered)
      await expected.createMany(numbered)
      for (const each of queries) assert.deepEqual(await ask(things, each), await ask(expected, each))
      for (const each of groupings) assert.deepEqual(await group(things, each), await group(expected, each))
      for (const [among, change] of updates) {
        assert.equal(await things.updateMany(among, change), await expected.updateMany(among, change))
        assert.deepEqual((await things.find()).map(withoutId), (await expected.find()).map(withoutId))
      }
    }
  )
  try {
    await fc.assert(property, { numRuns: runs })
    await compareRelated(driver, reference, Math.ceil(runs / 5))
  } finally {
    await subject.close?.(driver.connector)
  }
}

function openMemory(entities: Parameters<ConformanceSubject['open']>[0]) {
  return new EntityRepositories({ database: memoryDatabase(), entities })
}

type Query = typeof query extends fc.Arbitrary<infer Each> ? Each : never

async function ask(things: Repository, { criteria, limit, ...options }: Query) {
  const rows = await things.find(criteria, { ...options, ...(limit === undefined ? {} : { limit }) })
  return {
    rows: rows.map(withoutId),
    count: await things.count(criteria),
    exists: await things.exists(criteria)
  }
}

type GroupQuery = typeof grouping extends fc.Arbitrary<infer Each> ? Each : never

async function group(things: Repository, { criteria, direction, having, limit, ...options }: GroupQuery) {
  const given = {
    ...options,
    order: [['one', direction]],
    ...(having !== undefined && { having }),
    ...(limit !== undefined && { limit })
  }
  return (await things.groupBy(criteria, given as never)).map((each) => ({ ...each }))
}

function withoutId({ id: _, ...rest }: AnyRow): Record<string, unknown> {
  return { ...rest }
}
