/**
 * Carries out the conversions of the table on a driver, as `orm:diff` writes them. What converts is read, found and written
 * back; what does not stops its migration, which names the row and leaves the value.
 */
import assert from 'node:assert/strict'
import { BootError } from 'svc-kernel'
import { compileEntities } from '../entities/compile-entities.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { FieldDefinition } from '../entities/entity-definition.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { diffSchema } from '../migrations/diff-schema.ts'
import { schemaShape } from '../migrations/entity-shape.ts'
import { migrationSource } from '../migrations/migration-source.ts'
import type { EntityRepositories } from '../repository/entity-repositories.ts'
import { CASES_ZONE, CONVERSION_CASES, type ConversionCase, STOPS } from './conversion-cases.ts'
import { loadedMigration } from './loaded-migration.ts'
import type { MigrationSubject } from './migration-subject.ts'

type Repository = ReturnType<EntityRepositories['repository']>
type Fields = Readonly<Record<string, FieldDefinition>>
type Subject = Omit<MigrationSubject, 'runs' | 'schema' | 'atomic'>

/** @param cases default: the whole table */
export async function compareConversions(
  subject: Subject,
  cases: readonly ConversionCase[] = CONVERSION_CASES
): Promise<void> {
  await compareConverted(
    subject,
    cases.filter(({ result }) => result !== STOPS)
  )
  await compareStopped(
    subject,
    cases.filter(({ result }) => result === STOPS)
  )
}

/** All of them in one migration: a field for each. */
async function compareConverted(subject: Subject, cases: readonly ConversionCase[]): Promise<void> {
  const [before, after] = [entity(fieldsOf(cases, 'from')), entity(fieldsOf(cases, 'to'))]
  const results = Object.fromEntries(cases.map(({ result }, index) => [`f${index}`, result]))
  await subject.empty()
  const id = await within(subject, before, async (repository) => {
    await repository.create({})
    return (await repository.create(valuesOf(cases))).id
  })
  await migrate(subject, 'all', before, after)
  await within(subject, after, async (repository) => {
    const found = (await repository.findOne({ id })) ?? {}
    for (const [index, { from, to, value }] of cases.entries()) {
      const what = `${JSON.stringify(from)} to ${JSON.stringify(to)}: ${JSON.stringify(value)}`
      const held = (found as AnyRow)[`f${index}`]
      assert.deepEqual(plain(held), plain(results[`f${index}`]), what)
      if (to.type === 'json' || to.type === 'bytes' || to.array) continue
      assert.equal(await repository.count({ [`f${index}`]: held }), 1, `${what}, as a criterion`)
    }
    const { id: _id, ...values } = found as AnyRow
    await repository.updateOne({ id }, values)
    const [empty] = (await repository.find()).filter((row) => row.id !== id)
    assert.deepEqual(Object.values(empty ?? {}).filter((value) => value !== null).length, 1, 'null stays null')
  })
}

/** Each in a migration of its own, which leaves the row as it was. */
async function compareStopped(subject: Subject, cases: readonly ConversionCase[]): Promise<void> {
  const fields = fieldsOf(cases, 'from')
  const before = entity(fields)
  await subject.empty()
  const row = await within(subject, before, (repository) => repository.create(valuesOf(cases)))
  for (const [index, { from, to, value }] of cases.entries()) {
    const what = `${JSON.stringify(from)} to ${JSON.stringify(to)}: ${JSON.stringify(value)}`
    const after = entity({ ...fields, [`f${index}`]: { ...to, nullable: true } })
    const error = await migrate(subject, `stop_${index}`, before, after).then(
      () => null,
      (error: unknown) => error
    )
    assert.ok(error instanceof BootError, `${what} stops`)
    assert.equal(error.code, 'SVC_ORM_MIGRATION_DATA', what)
    assert.ok(error.message.includes(row.id), `${what}: the row is named in ${error.message}`)
  }
  await within(subject, before, async (repository) => {
    assert.deepEqual(plain(await repository.findOne({ id: row.id })), plain(row), 'the row is as it was')
  })
}

function fieldsOf(cases: readonly ConversionCase[], side: 'from' | 'to'): Fields {
  return Object.fromEntries(cases.map((each, index) => [`f${index}`, { ...each[side], nullable: true }]))
}

function valuesOf(cases: readonly ConversionCase[]): Partial<AnyRow> {
  return Object.fromEntries(cases.map(({ value }, index) => [`f${index}`, value]))
}

function entity(schema: Fields): readonly CompiledEntity[] {
  const { entities, problems } = compileEntities([{ definition: { name: 'Thing', schema }, place: null }], 'default')
  assert.deepEqual(problems, [])
  return entities
}

async function migrate(
  subject: Subject,
  name: string,
  before: readonly CompiledEntity[],
  after: readonly CompiledEntity[]
): Promise<void> {
  const steps = diffSchema(schemaShape(before), schemaShape(after), { entities: {}, columns: {} })
  const source = migrationSource(steps).replaceAll('zone: undefined', `zone: '${CASES_ZONE}'`)
  const { up } = loadedMigration(source)
  const { connector, close } = await subject.connector()
  try {
    const migrations = [{ name, checksum: 'a', up, down: null }]
    await connector.migrations?.run({ migrations, direction: 'up', steps: 1, check: () => undefined })
  } finally {
    await close()
  }
}

async function within<T>(
  subject: Subject,
  entities: readonly CompiledEntity[],
  work: (repository: Repository) => Promise<T>
): Promise<T> {
  const { repositories, close } = await subject.open(entities)
  try {
    return await work(repositories.repository('Thing'))
  } finally {
    await close()
  }
}

/** Bytes of whatever class. */
function plain(value: unknown): unknown {
  return value instanceof Uint8Array ? Array.from(value) : value
}
