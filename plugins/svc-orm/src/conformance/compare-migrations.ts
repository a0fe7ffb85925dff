/**
 * `svc-orm/conformance/migrations`: random versions of an entity with random rows, migrated on a driver, and by a model.
 * Both must have the same rows after the way up, the way down and the way up again; and where a value stops a migration,
 * the rows of before.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { BootError } from 'svc-kernel'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import type { EntityRepositories } from '../repository/entity-repositories.ts'
import { type EntityVersions, entityVersions } from './entity-versions.ts'
import { type ModelRow, modelRows, reversed } from './migration-model.ts'
import type { MigrationSubject } from './migration-subject.ts'

type AnyRepository = ReturnType<EntityRepositories['repository']>

export async function compareMigrations(subject: MigrationSubject): Promise<void> {
  const property = fc.asyncProperty(entityVersions(), (versions) => compare(subject, versions))
  await fc.assert(property, { numRuns: subject.runs })
}

async function compare(subject: MigrationSubject, versions: EntityVersions): Promise<void> {
  const { before, after, model, rows } = versions
  await subject.empty()
  await within(subject, before, (repository) => repository.createMany(rows as Partial<AnyRow>[]))
  const schema = await subject.schema()

  const migrated = modelRows(rows, model)
  const went = await run(subject, versions, 'up')
  assert.equal(went, migrated !== null, 'the way up ends as the model says')
  if (migrated === null) {
    if (subject.atomic) await same(subject, before, rows, schema)
    return
  }
  const made = await same(subject, after, migrated)

  const back = modelRows(migrated, reversed(model))
  assert.equal(await run(subject, versions, 'down'), back !== null, 'the way down ends as the model says')
  if (back === null) {
    if (subject.atomic) await same(subject, after, migrated, made)
    return
  }
  await same(subject, before, back, schema)

  const again = modelRows(back, model)
  assert.equal(await run(subject, versions, 'up'), again !== null, 'the second way up ends as the model says')
  if (again !== null) await same(subject, after, again, made)
}

/** @returns the schema, which is that of `schema` where it is given */
async function same(
  subject: MigrationSubject,
  entities: readonly CompiledEntity[],
  rows: readonly ModelRow[],
  schema?: unknown
): Promise<unknown> {
  const standing = await subject.schema()
  if (schema !== undefined) assert.deepEqual(standing, schema, 'the schema')
  const found = await within(subject, entities, async (repository) => {
    for (const name of foldedOf(entities)) await sameFolded(repository, name, rows)
    return repository.find()
  })
  assert.deepEqual(
    found.map(({ id: _, ...row }) => row),
    rows,
    'the rows'
  )
  assert.deepEqual(await subject.schema(), standing, 'nothing is left for a boot to add')
  return standing
}

function foldedOf(entities: readonly CompiledEntity[]): readonly string[] {
  return [...new Set(entities.flatMap(({ indexes }) => indexes.flatMap(({ folded = [] }) => folded)))]
}

/** Each text is found in any case, as often as rows have it. */
async function sameFolded(repository: AnyRepository, name: string, rows: readonly ModelRow[]): Promise<void> {
  const texts = rows.map((row) => row[name]).filter((value) => typeof value === 'string')
  for (const text of texts) {
    const same = texts.filter((each) => each.toLowerCase() === text.toLowerCase()).length
    assert.equal(await repository.count({ [name]: { $ieq: text.toUpperCase() } }), same, `${name} in any case`)
  }
}

/** @returns whether it went through; what stops it is a value of a row */
async function run(
  subject: MigrationSubject,
  { migration }: EntityVersions,
  direction: 'up' | 'down'
): Promise<boolean> {
  const { connector, close } = await subject.connector()
  const { up, down } = migration
  const loaded = { name: '1', checksum: 'a', up, down: down ?? null }
  try {
    const asked = { migrations: [loaded], direction, steps: 1, check: () => undefined }
    assert.deepEqual(await connector.migrations?.run(asked), ['1'])
    return true
  } catch (error) {
    if (error instanceof BootError && error.code === 'SVC_ORM_MIGRATION_DATA') return false
    throw error
  } finally {
    await close()
  }
}

async function within<T>(
  subject: MigrationSubject,
  entities: readonly CompiledEntity[],
  work: (repository: AnyRepository) => Promise<T>
): Promise<T> {
  const { repositories, close } = await subject.open(entities)
  try {
    return await work(repositories.repository(entities[0]?.name ?? ''))
  } finally {
    await close()
  }
}

export { compareConversions } from './compare-conversions.ts'
export type { MigrationSubject } from './migration-subject.ts'
