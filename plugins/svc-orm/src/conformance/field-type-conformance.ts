/**
 * The suite of a field type: what a type says of its values is true on a database. Every built-in type passes it, and
 * whatever passes may take the type of a field.
 */
import assert from 'node:assert/strict'
import type { ConformanceRunner } from 'svc-stores/conformance'
import { hasOnlyStorableText, memoryDatabase } from 'svc-stores/table'
import { crudRoutes } from '../crud/crud-routes.ts'
import { compileEntities } from '../entities/compile-entities.ts'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import type { EntityDefinition, FieldDefinition } from '../entities/entity-definition.ts'
import { rowValueOf } from '../entities/field-values.ts'
import { conversion } from '../migrations/convert-value.ts'
import { narrowingOf } from '../migrations/migrated-column.ts'
import type { OrmPort } from '../registry/orm-port.ts'
import { EntityRepositories } from '../repository/entity-repositories.ts'
import type { Repository } from '../repository/repository.ts'
import { refused } from './conformance-suite.ts'

export interface FieldTypeSubject {
  /** The type, with what its definition has to say: `{ type: percent }`. */
  readonly field: FieldDefinition
  /**
   * Values as they are given, each with what rows have then: at least two, which differ; of a type with an order, the
   * lesser first.
   */
  readonly values: readonly (readonly [given: unknown, row: unknown])[]
  /** What is no value of the type; null is not asked for. */
  readonly refused: readonly unknown[]
  /** `fastify.orm` of an application with these entities on an empty database. Default: in memory. */
  open?(entities: readonly EntityDefinition[]): Promise<TypeDatabase>
}

export type TypeDatabase = Pick<OrmPort, 'repository' | 'connectors'>

interface TypeContext extends FieldTypeSubject {
  readonly orm: TypeDatabase
  readonly samples: Repository
  readonly value: CompiledField
  readonly entity: CompiledEntity
}

/** Given to every reader: none of them may throw. */
const STRANGE: readonly unknown[] = [
  ...[undefined, null, true, 0, -0, -1, 1.5, 1e21, Number.NaN, Number.POSITIVE_INFINITY, 10n, 2n ** 70n],
  ...['', ' ', '0', 'null', '\0', '\ud800', '9'.repeat(400), '__proto__', new Date(0), new Date(Number.NaN)],
  ...[[], [null], {}, Object.create(null), { toString: null }, Symbol('s'), () => 1, new Uint8Array(2), /x/]
]

/** Runs every case on one database. */
export async function fieldTypeConformance(runner: ConformanceRunner, subject: FieldTypeSubject): Promise<void> {
  const context = await openSamples(subject)
  for (const [name, body] of Object.entries(CASES)) {
    await runner.test(`${context.value.type}: ${name}`, async () => {
      await context.samples.delete({})
      await body(context)
    })
  }
}

async function openSamples(subject: FieldTypeSubject): Promise<TypeContext> {
  const sample = sampleOf(subject.field)
  const entity = compiled(sample)
  const orm = (await subject.open?.([sample])) ?? inMemory(entity)
  const value = entity.fields.get('value') as CompiledField
  return { ...subject, orm, samples: orm.repository('TypeSample'), value, entity }
}

function compiled(definition: EntityDefinition): CompiledEntity {
  const { entities, problems } = compileEntities([{ definition, place: null }], 'conformance')
  assert.deepEqual(problems, [])
  return entities[0] as CompiledEntity
}

function inMemory(entity: CompiledEntity): TypeDatabase {
  const database = memoryDatabase()
  const repositories = new EntityRepositories({ database, entities: [entity] })
  const repository = (name: unknown) => repositories.repository(name as string)
  return { connectors: () => [database], repository: repository as TypeDatabase['repository'] }
}

/** With a field for each way in which a type can be used. */
function sampleOf(field: FieldDefinition): EntityDefinition {
  const { can, noList } = compiled({ name: 'Probe', schema: { value: field } }).fields.get('value')?.fieldType ?? {}
  return {
    name: 'TypeSample',
    schema: {
      value: field,
      other: { ...field, nullable: true },
      ...(can?.compare && { only: { ...field, nullable: true, unique: true } }),
      ...(noList === undefined && { many: { ...field, nullable: true, array: true } })
    }
  }
}

const CASES: Readonly<Record<string, (context: TypeContext) => Promise<void>>> = {
  'reading never throws, and what was read is read as itself': async ({ value, values }) => {
    const { read } = value.fieldType
    for (const strange of STRANGE) assert.doesNotThrow(() => read(strange, value), String(typeof strange))
    for (const [given, row] of values) {
      const stored = read(given, value)
      assert.deepEqual(rowValueOf(value, stored), row)
      assert.deepEqual(read(row, value), stored, 'what rows have')
      assert.deepEqual(read(JSON.parse(JSON.stringify(row)), value), stored, 'what JSON has')
    }
  },
  'a value comes back, alone, in a list and through a criterion': async ({ samples, entity, value, values }) => {
    const isListed = entity.fields.has('many')
    for (const [given, row] of values) {
      const { id } = await samples.create({ value: given, other: given, ...(isListed && { many: [given, given] }) })
      const found = await samples.findOne({ id })
      assert.deepEqual(found?.value, row)
      assert.deepEqual(found?.other, row)
      if (isListed) assert.deepEqual(found?.many, [row, row])
      if (value.fieldType.can.compare) {
        const { id: empty } = await samples.create({ value: given })
        assert.deepEqual(
          (await samples.find({ other: given })).map((each) => each.id),
          [id]
        )
        assert.equal(await samples.count({ other: null, id: empty }), 1)
        if (isListed) assert.equal(await samples.count({ many: given }), 1)
      }
      await samples.updateOne({ id }, { other: null })
      assert.equal((await samples.findOne({ id }))?.other, null)
      assert.deepEqual((await samples.updateOne({ id }, { other: given }))?.other, row)
      await samples.delete({})
    }
  },
  'anything else is refused, and nothing is written': async ({ samples, value, values, refused: none }) => {
    const [[given] = []] = values
    const { id } = await samples.create({ value: given })
    for (const wrong of none) {
      assert.equal(value.fieldType.read(wrong, value), undefined)
      await refused(() => samples.create({ value: wrong }), 'SVC_ORM_VALUE', 400)
      await refused(() => samples.updateOne({ id }, { value: wrong }), 'SVC_ORM_VALUE', 400)
      if (value.fieldType.can.compare)
        await refused(() => samples.count({ value: { $eq: wrong } }), 'SVC_ORM_CRITERIA', 400)
    }
    assert.equal(await samples.count({}), 1)
  },
  'equal values are equal to a unique index, other values differ': async ({ samples, entity, values }) => {
    if (!entity.fields.has('only')) return
    for (const [given] of values) await samples.create({ value: given, only: given })
    for (const [given, row] of values) {
      await refused(() => samples.create({ value: given, only: row }), 'SVC_ORM_UNIQUE', 409)
    }
  },
  'rows have the order of the values, where they have one': async ({ samples, value, values }) => {
    const { compare, order } = value.fieldType.can
    if (!compare) return
    for (const [given] of values.toReversed()) await samples.create({ value: given })
    const rows = values.map(([, row]) => row)
    const [[first], last] = [values[0] ?? [], values.at(-1) ?? []]
    if (!order) return refused(() => samples.count({ value: { $gt: first } }), 'SVC_ORM_CRITERIA', 400)
    const ascending = await samples.find({}, { order: [['value', 'ASC']] })
    assert.deepEqual(
      ascending.map((row) => row.value),
      rows
    )
    assert.equal(await samples.count({ value: { $gt: first } }), rows.length - 1)
    assert.equal(await samples.count({ value: { $lt: last[0] } }), rows.length - 1)
    const { items, next } = await samples.page({}, { order: [['value', 'DESC']], limit: 1 })
    assert.deepEqual(items[0]?.value, rows.at(-1))
    const behind = await samples.page({}, { order: [['value', 'DESC']], limit: 1, after: next as string })
    assert.deepEqual(behind.items[0]?.value, rows.at(-2))
  },
  'the schema accepts what is read, and nothing else': async ({ entity, value, values, refused: none }) => {
    const { create } = crudRoutes('TypeSample', [...entity.fields.values()])
    const { body } = create.schema as { readonly body: object }
    const accepts = (given: unknown) => {
      const validate = create.validatorCompiler({ schema: body, method: 'POST', url: '/', httpPart: 'body' })
      const outcome = validate({ value: given }) as boolean | { error?: unknown }
      return outcome === true || (typeof outcome === 'object' && outcome.error === undefined)
    }
    for (const [given, row] of values) {
      assert.ok(accepts(JSON.parse(JSON.stringify(row))), `${JSON.stringify(row)} is accepted`)
      if (isJson(given)) assert.ok(accepts(given), `${JSON.stringify(given)} is accepted`)
    }
    // JSON Schema says of `json` only that it is JSON.
    for (const wrong of value.type === 'json' ? [] : none.filter(isSaid)) {
      assert.ok(!accepts(wrong), `${JSON.stringify(wrong)} is refused`)
    }
  },
  'an answer of crud has the value as JSON': async ({ entity, samples, values }) => {
    const { read } = crudRoutes('TypeSample', [...entity.fields.values()])
    const { 200: schema } = (read.schema as { readonly response: { readonly 200: unknown } }).response
    const write = read.serializerCompiler({ schema, method: 'GET', url: '/', httpStatus: '200' })
    for (const [given, row] of values) {
      const answer = JSON.parse(write(await samples.create({ value: given }))) as { readonly value: unknown }
      assert.deepEqual(answer.value, JSON.parse(JSON.stringify(row)))
    }
  },
  'what becomes text or JSON comes back, or stops': async ({ value, values }) => {
    const column = (name: string, type: CompiledField) => ({
      ...{ name, type: type.fieldType.storage },
      ...(type.scale !== undefined && { scale: type.scale }),
      ...narrowingOf(type, type.fieldType.storage)
    })
    const own = column('value', value)
    for (const other of [
      { name: 'value', type: 'text' },
      { name: 'value', type: 'json' }
    ] as const) {
      const [there, back] = [conversion(own, other), conversion(other, own)]
      if (there === null || back === null) continue
      for (const [given] of values) {
        const stored = value.fieldType.read(given, value)
        const made = there(stored)
        if (made !== undefined) assert.deepEqual(back(made), stored)
      }
    }
  },
  'its column is as declared': async ({ orm }) => {
    for (const { schema } of orm.connectors()) assert.deepEqual((await schema?.differences()) ?? [], [])
  }
}

function isJson(given: unknown): boolean {
  if (typeof given === 'object' && given !== null)
    return Array.isArray(given) || Object.getPrototypeOf(given) === Object.prototype
  return typeof given === 'string' || typeof given === 'boolean' || Number.isFinite(given)
}

/** JSON Schema has no words for text that no database keeps. */
function isSaid(given: unknown): boolean {
  return isJson(given) && (typeof given !== 'string' || hasOnlyStorableText(given))
}
