/** Field types of an application's own: what is refused, and what a definition may say of a field of one. */
import type { Problem } from 'svc-kernel'
import t from 'tap'
import { compileEntities } from '../../src/entities/compile-entities.ts'
import { defineEntity, type EntityDefinition } from '../../src/entities/entity-definition.ts'
import { defineFieldType, type OwnFieldType } from '../../src/fields/define-field-type.ts'

const PERCENT: OwnFieldType<number> = {
  name: 'percent',
  storage: 'integer',
  read: (given) => (Number.isInteger(given) && Number(given) >= 0 && Number(given) <= 100 ? Number(given) : undefined),
  expected: 'a whole number from 0 to 100',
  schema: { type: 'integer', minimum: 0, maximum: 100 },
  takes: ['max']
}

function faults(change: object): string[] {
  try {
    defineFieldType({ ...PERCENT, ...change } as OwnFieldType<number>)
    return []
  } catch (error) {
    const { problems } = error as { readonly problems: readonly Problem[] }
    return problems.map(({ code, message }) => `${code} ${message}`)
  }
}

t.test('what is no type', async (t) => {
  t.strictSame(faults({}), [])
  const table: readonly (readonly [change: object, fault: string])[] = [
    [{ name: 'Percent' }, 'field type Percent: the name has another form'],
    [{ name: 'percent!' }, 'field type percent!: the name has another form'],
    [{ name: ['percent'] }, 'field type percent: the name has another form'],
    [{ name: 'decimal' }, 'field type decimal: the name is that of a built-in type'],
    [{ storage: 'time' }, 'field type percent: the storage is time'],
    [{ read: undefined }, 'field type percent: read is missing'],
    [{ expected: '' }, 'field type percent: expected is missing'],
    [{ schema: [] }, 'field type percent: schema is missing'],
    [{ schema: { format: 'email' } }, 'field type percent: schema.format is email'],
    [{ takes: ['values'] }, 'field type percent: takes has values'],
    [{ can: { search: true } }, 'field type percent: can.search is for text, and the storage is integer'],
    [{ storage: 'text', can: { add: true } }, 'field type percent: can.add is for numbers, and the storage is text'],
    [{ can: { compare: false, order: true } }, 'field type percent: can.order needs can.compare'],
    [{ from: { float: 'same' } }, 'field type percent: from has what is no function']
  ]
  for (const [change, fault] of table) t.strictSame(faults(change), [`SVC_ENTITY_TYPE ${fault}`])
  t.equal(faults({ name: 5, storage: 'x', read: 1, expected: 2, schema: 3 }).length, 5, 'all at once')
})

t.test('what a type may say that it can', async (t) => {
  for (const storage of ['integer', 'bigint', 'float'] as const)
    t.strictSame(faults({ storage, can: { add: true } }), [], storage)
  for (const can of [{ order: true }, { compare: false }, { compare: false, order: false }])
    t.strictSame(faults({ can }), [], JSON.stringify(can))
})

t.test('a value that no database keeps is none, whatever the type says of it', async (t) => {
  const all = { read: (given: unknown) => given, expected: 'anything', schema: {} } as const
  const table: readonly (readonly [storage: OwnFieldType<unknown>['storage'], kept: unknown, none: unknown])[] = [
    ['text', 'a', 'a\0'],
    ['text', '', 5],
    ['integer', 2 ** 53 - 1, 2 ** 53],
    ['float', 1.5, Number.NaN],
    ['bigint', 2n ** 63n - 1n, 2n ** 63n],
    ['boolean', false, 0],
    ['date', new Date(0), new Date(Number.NaN)],
    ['json', { a: [null] }, { a: undefined }]
  ]
  for (const [storage, kept, none] of table) {
    const { read } = defineFieldType({ ...all, name: 'anything', storage })
    t.same(read(kept, {}), kept, storage)
    t.equal(read(none, {}), undefined, storage)
  }
})

const percent = defineFieldType(PERCENT)

function compile(...definitions: readonly EntityDefinition[]) {
  const placed = definitions.map((definition) => ({ definition, place: null }))
  return compileEntities(placed, 'default')
}

t.test('an entity has a field of it', async (t) => {
  const Sale = defineEntity({
    name: 'Sale',
    schema: { discount: { type: percent, default: 10, check: { max: 50 } }, rates: { type: percent, array: true } }
  })
  const { entities, problems } = compile(Sale)
  t.strictSame(problems, [])
  const discount = entities[0]?.fields.get('discount')
  t.match(discount, { type: 'percent', fieldType: percent, default: 10 })
  t.equal(discount?.rule?.fault(51), 'at most 50')
  t.strictSame(discount?.rule?.schema, { maximum: 50 })
})

t.test('what a definition may not say', async (t) => {
  const messages = (field: object) =>
    compile({ name: 'Sale', schema: { discount: { type: percent, ...field } } }).problems.map(({ message }) => message)
  t.match(messages({ default: 101 }), [/Sale.discount: default: .*a whole number from 0 to 100/])
  t.match(messages({ scale: 2 }), [/Sale.discount: scale is for/])
  t.match(messages({ check: { min: 1 } }), [/Sale.discount: check.min is for/])
  t.match(messages({ check: { max: 'x' } }), [/Sale.discount: check.max: expected a whole number from 0 to 100/])
  t.match(messages({ unknown: true }), [/unknown/])
})

t.test('an object that defineFieldType did not return is no type', async (t) => {
  const forged = { ...percent }
  const { problems } = compile({ name: 'Sale', schema: { discount: { type: forged } } })
  t.equal(problems.length, 1)
  t.match(problems[0], {
    code: 'SVC_ENTITY_INVALID',
    got: /an object that defineFieldType did not return/,
    expected: /a type that defineFieldType returned/
  })
})

t.test('two types of one name are not for one database', async (t) => {
  const other = defineFieldType(PERCENT)
  const { problems } = compile(
    { name: 'Sale', schema: { discount: { type: percent } } },
    { name: 'Offer', schema: { discount: { type: other }, again: { type: other } } }
  )
  t.match(
    problems.map(({ message }) => message),
    [/Offer.discount: two field types are named percent/, /Offer.again/]
  )
})
