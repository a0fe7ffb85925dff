/**
 * What `svc orm:diff` and `svc orm:baseline` write. A migration is what the entities have become since the snapshot.
 * Where there is none, it is what they are beside the database itself: tables that are there are no new ones.
 */
import { BootError, type Clock, type Problem } from 'svc-kernel'
import { ConnectionUnavailable } from 'svc-stores'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { diffSchema } from './diff-schema.ts'
import { renameHints, type SchemaShape, schemaShape, stillOwn } from './entity-shape.ts'
import { keyChangeProblems } from './key-problems.ts'
import type { MigrationFiles } from './migration-files.ts'
import type { MigratedConnector } from './migration-port.ts'
import { deletedColumn, type MigrationFacts, migrationSource } from './migration-source.ts'
import { renameProblems } from './rename-problems.ts'
import { describeStep, type SchemaStep } from './schema-step.ts'
import { type StandingShape, standingShape } from './standing-shape.ts'

/** A migration as it was written, with its files. */
export interface WrittenMigration {
  readonly name: string
  readonly source: string
  /** What it does, a line for each step. */
  readonly steps: readonly string[]
  /** Absolute paths; none where nothing was to be written. */
  readonly files: readonly string[]
  /** The migration before it, which makes the tables as they are here; on this database it finds them. */
  readonly baseline: { readonly name: string; readonly source: string } | null
  /** What a person should know of it, such as a `was` that names nothing. */
  readonly warnings: readonly Problem[]
}

export interface WritingParts {
  readonly target: MigratedConnector
  readonly files: MigrationFiles
  readonly entities: readonly CompiledEntity[]
  readonly clock: Pick<Clock, 'now'>
  readonly dryRun: boolean
}

const SECOND_MS = 1000
const LATEST_MS = 3_600_000
const NOTHING: StandingShape = { shape: {}, others: {}, doubts: new Map() }

/** @param words of its name, joined by `_` @returns `null` where nothing changed @throws BootError */
export async function writeDiff(words: string, parts: WritingParts): Promise<WrittenMigration | null> {
  const { files, entities, clock } = parts
  const [snapshot, names] = [await files.snapshot(), await files.names()]
  const isFirst = snapshot === null && names.length === 0
  const standing = isFirst ? await standingOf(parts) : NOTHING
  const before = stillOwn(snapshot ?? standing.shape, entities)
  const after = schemaShape(entities, before)
  const hints = renameHints(entities)
  const { refused, unknown } = renameProblems(before, after, hints, standing.others)
  const kept = [...refused, ...keyChangeProblems(before, after, hints)]
  if (kept.length > 0) throw new BootError(kept)

  const changes = diffSchema(before, after, hints)
  const warnings = [...unknown, ...untold(standing, changes)]
  const now = laterThan(names, clock.now())
  const facts = await factsOf(changes, before, standing, parts)
  // Tables alone: on a database that has some of them, they are found.
  if (isFirst && changes.every(({ kind }) => kind === 'createTable' || kind === 'addReference')) {
    const steps = diffSchema({}, after, hints)
    return steps.length === 0 ? null : write([{ name: named(now, words), steps }], after, facts, warnings, parts)
  }
  if (changes.length === 0) {
    if (!parts.dryRun) await files.complete(after)
    return null
  }
  const baseline = isFirst ? [{ name: named(now, 'baseline'), steps: makingOf(before) }] : []
  const own = { name: named(now + (isFirst ? SECOND_MS : 0), words), steps: changes }
  return write([...baseline, own], after, facts, warnings, parts)
}

/** The migration that makes what is there, and the snapshot of it. @returns `null` where the database has no entity yet @throws BootError */
export async function writeBaseline(parts: WritingParts): Promise<WrittenMigration | null> {
  const { target, files, entities, clock } = parts
  if ((await files.snapshot()) !== null || (await files.names()).length > 0) throw new BootError([tooLate(target.name)])
  const standing = await standingOf(parts)
  const before = stillOwn(standing.shape, entities)
  const steps = makingOf(before)
  if (steps.length === 0) return null
  const facts = await factsOf([], before, standing, parts)
  return write(
    [{ name: named(clock.now(), 'baseline'), steps }],
    before,
    facts,
    [...leftAlone(standing), ...untold(standing, [])],
    parts
  )
}

interface Planned {
  readonly name: string
  readonly steps: readonly SchemaStep[]
}

/** @param planned one, or two of which the first is the baseline */
async function write(
  planned: readonly Planned[],
  snapshot: SchemaShape,
  facts: MigrationFacts,
  warnings: readonly Problem[],
  { files, dryRun }: WritingParts
): Promise<WrittenMigration> {
  const sources = planned.map(({ name, steps }) => ({ name, steps, source: migrationSource(steps, facts) }))
  const { name, steps, source } = sources.at(-1) as (typeof sources)[number]
  const [baseline] = sources.length > 1 ? sources : []
  return {
    name,
    source,
    steps: steps.map(describeStep),
    files: dryRun ? [] : await files.write(sources, snapshot),
    baseline: baseline === undefined ? null : { name: baseline.name, source: baseline.source },
    warnings
  }
}

function makingOf(shape: SchemaShape): readonly SchemaStep[] {
  return diffSchema({}, shape, { entities: {}, columns: {} })
}

async function standingOf({ target, entities }: WritingParts): Promise<StandingShape> {
  try {
    return await standingShape(target.schema, entities)
  } catch (error) {
    if (!(error instanceof ConnectionUnavailable)) throw error
    throw new BootError([unreachable(target.name)], { cause: error })
  }
}

async function factsOf(
  steps: readonly SchemaStep[],
  before: SchemaShape,
  { doubts }: StandingShape,
  { target, entities }: WritingParts
): Promise<MigrationFacts> {
  const byName = new Map(entities.map((entity) => [entity.name, entity]))
  const counts = steps.flatMap((step) => {
    if (step.kind !== 'dropColumn' || !deletedColumn(step.column)) return []
    const { entity, column } = step
    const former = before[entity] === undefined ? (byName.get(entity)?.was ?? entity) : entity
    // The database need not be there for a diff: the file then says none.
    const counted = target.migrations?.count(former, column.name).catch(() => null) ?? null
    return [Promise.resolve(counted).then((count) => [entity, count] as const)]
  })
  return {
    isManaged: (entity, column) => byName.get(entity)?.fields.get(column)?.managed === true,
    deletedRows: new Map(await Promise.all(counts)),
    doubts
  }
}

/** Names sort as they were made, also those of one second. */
function laterThan(names: readonly string[], now: number): number {
  const digits =
    names
      .at(-1)
      ?.slice(0, 14)
      .replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z') ?? ''
  const last = Date.parse(digits)
  // A name of the far future comes from no clock: what follows it is named by hand.
  return last >= now - (now % SECOND_MS) && last - now < LATEST_MS ? last + SECOND_MS : now
}

/** `20260102030405_add_sku`, in UTC: names sort as they were made. */
function named(now: number, words: string): string {
  return `${new Date(now).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}_${words}`
}

/** What is taken as it is declared, and may be something else. A step that converts it has a mark in the file. */
function untold({ doubts }: StandingShape, changes: readonly SchemaStep[]): Problem[] {
  const marked = new Set(changes.map((step) => (step.kind === 'changeColumn' ? `${step.entity}.${step.to.name}` : '')))
  return [...doubts]
    .filter(([column, types]) => types.length > 1 && !marked.has(column))
    .map(([column, types]) => ({
      code: 'SVC_ORM_MIGRATION_BASELINE',
      message: `the database does not tell whether ${column} holds ${types.join(' or ')}: svc assumes ${types[0]}`,
      fix: `check its values; if they differ, convert them in a migration with changeColumn`
    }))
}

function leftAlone({ others }: StandingShape): Problem[] {
  return Object.entries(others)
    .filter(([, columns]) => columns.length > 0)
    .map(([entity, columns]) => ({
      code: 'SVC_ORM_MIGRATION_BASELINE',
      message: `${entity} has columns in the database without a field: they are left alone`,
      got: columns.join(', '),
      fix: 'declare them as fields, or drop them in a migration'
    }))
}

function tooLate(connector: string): Problem {
  return {
    code: 'SVC_ORM_MIGRATION_BASELINE',
    message: `${connector} has migrations already, and a baseline must be the first; nothing was written`,
    fix: 'npx svc orm:diff <name>'
  }
}

function unreachable(connector: string): Problem {
  return {
    code: 'SVC_ORM_MIGRATION_BASELINE',
    message: `the first migration needs the database of ${connector}, which cannot be reached; nothing was written`,
    fix: 'start the database, then run the command again'
  }
}
