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
import type { Link } from './version-links.ts'
import { sameWords } from './version-search.ts'

type AnyRepository = ReturnType<EntityRepositories['repository']>

export async function compareMigrations(subject: MigrationSubject): Promise<void> {
  const property = fc.asyncProperty(entityVersions('Thing', subject.search), (versions) => compare(subject, versions))
  await fc.assert(property, { numRuns: subject.runs })
}

async function compare(subject: MigrationSubject, versions: EntityVersions): Promise<void> {
  const { before, after, model, rows, links } = versions
  await subject.empty()
  const owners = await within(subject, before, (repositories) => created(repositories, versions))
  const schema = await subject.schema()

  const migrated = modelRows(rows, model)
  // What names a row that is gone, or one of another scope, is refused from the moment when it is kept.
  const isLoose = (links.after?.onDelete ?? 'none') === 'none'
  const crosses = links.after?.scoped === true && versions.owners.includes('crossing')
  const goes = migrated !== null && (isLoose || (!owners.ids.includes(owners.gone) && !crosses))
  assert.equal(await run(subject, versions, 'up'), goes, 'the way up ends as the model says')
  const held = { ids: owners.ids, scopes: owners.scopes }
  if (!goes) {
    if (subject.atomic) await same(subject, before, named(rows, links.before, held), schema)
    return
  }
  const left = migratedTo(held, links.before)
  const made = await same(subject, after, named(migrated, links.after, left))

  const back = modelRows(migrated, reversed(model))
  const kept = migratedTo(left, links.after)
  assert.equal(await run(subject, versions, 'down'), back !== null, 'the way down ends as the model says')
  if (back === null) {
    if (subject.atomic) await same(subject, after, named(migrated, links.after, left), made)
    return
  }
  await same(subject, before, named(back, links.before, kept), schema)

  const again = modelRows(back, model)
  assert.equal(await run(subject, versions, 'up'), again !== null, 'the second way up ends as the model says')
  const last = migratedTo(kept, links.before)
  if (again !== null) await same(subject, after, named(again, links.after, last), made)
}

/** What each row names, and its scope. */
interface Held {
  readonly ids: readonly (string | null)[]
  readonly scopes: readonly string[]
}

interface Owners extends Held {
  readonly gone: string
}

/** Of what a person gives, and another one. */
const [SCOPE, OTHER] = ['f', 'other']

async function created(
  repositories: EntityRepositories,
  { before, rows, links, owners }: EntityVersions
): Promise<Owners> {
  const [entity, owner] = before.map(({ name }) => repositories.repository(name))
  const values = { name: 'there', ...(links.before?.scoped === true && { organizationId: SCOPE }) }
  const there = (await owner?.create(values))?.id ?? null
  const gone = repositories.database.ids.generate()
  const idOf = { nobody: null, there, crossing: there, gone }
  const held = {
    ids: owners.map((whom) => (links.before === null ? null : idOf[whom])),
    scopes: owners.map((whom) => (whom === 'crossing' ? OTHER : SCOPE)) as string[]
  }
  await entity?.createMany(named(rows, links.before, held) as Partial<AnyRow>[])
  return { ...held, gone }
}

/** Rows with whom they name, in a version that has the reference, and with their scope. */
function named(rows: readonly ModelRow[], link: Link | null, { ids, scopes }: Held): readonly ModelRow[] {
  if (link === null) return rows
  return rows.map((row, index) => ({
    ...row,
    ...(link.scoped && { organizationId: scopes[index] }),
    ownerId: ids[index] ?? null
  }))
}

/** What a version has not, the one after it does not have either: nobody, and the scope that a person gives. */
function migratedTo({ ids, scopes }: Held, link: Link | null): Held {
  return {
    ids: link === null ? ids.map(() => null) : ids,
    scopes: link?.scoped === true ? scopes : scopes.map(() => SCOPE as string)
  }
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
  const [entity] = entities
  const found = await within(subject, entities, async (repositories) => {
    const repository = repositories.repository(entity?.name ?? '')
    for (const name of foldedOf(entities)) await sameFolded(repository, name, rows)
    if (entity !== undefined) await sameWords(repository, entity, rows)
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
  work: (repositories: EntityRepositories) => Promise<T>
): Promise<T> {
  const { repositories, close } = await subject.open(entities)
  try {
    return await repositories.scopes.callers.across(() => work(repositories))
  } finally {
    await close()
  }
}

export { compareConversions } from './compare-conversions.ts'
export type { MigrationSubject } from './migration-subject.ts'
