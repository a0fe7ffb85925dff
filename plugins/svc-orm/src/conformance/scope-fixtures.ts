/** Entities with a scope, and one without between them; two organisations whose rows resemble each other. */
import { compileEntities } from '../entities/compile-entities.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { defineEntity } from '../entities/entity-definition.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import type { AnyRow } from '../entities/row-of.ts'
import { withHooks } from '../repository/entity-hooks.ts'
import type { EntityRepositories } from '../repository/entity-repositories.ts'
import type { Repository } from '../repository/repository.ts'
import type { ConformanceSubject } from './conformance-suite.ts'
import { SCOPED_REFERENCES } from './scope-reference-fixtures.ts'

const Writer = defineEntity({
  name: 'ScopedWriter',
  scope: 'organization',
  schema: { name: { type: 'string' }, slug: { type: 'string', unique: true, nullable: true } },
  relations: {
    works: { type: 'one-to-many', target: 'ScopedWork', mappedBy: 'writer' },
    mentor: { type: 'many-to-one', target: 'ScopedWriter', nullable: true, onDelete: 'none' }
  },
  tree: 'mentor',
  timestamps: true
})

const Work = defineEntity({
  name: 'ScopedWork',
  scope: 'organization',
  schema: {
    title: { type: 'string' },
    code: { type: 'string', nullable: true },
    label: { type: 'string', nullable: true, unique: 'present' },
    stars: { type: 'integer', default: 0 },
    price: { type: 'decimal', scale: 2, default: '1.00' }
  },
  relations: {
    writer: { type: 'many-to-one', target: 'ScopedWriter', nullable: true, onDelete: 'none' },
    shelf: { type: 'many-to-one', target: 'OpenShelf', nullable: true, onDelete: 'none' }
  },
  indexes: [{ fields: ['title', 'code'], unique: true }],
  softDelete: true
})

const SearchedWork = { ...Work, search: ['title'] }

/** Without a scope: its rows belong to all. */
const Shelf = defineEntity({
  name: 'OpenShelf',
  schema: { label: { type: 'string' } },
  relations: { works: { type: 'one-to-many', target: 'ScopedWork', mappedBy: 'shelf' } }
})

/** Its hooks write and count rows of another entity with a scope. */
const Letter = withHooks(
  defineEntity({ name: 'ScopedLetter', scope: 'organization', schema: { text: { type: 'string' } } }),
  {
    beforeCreate: async (values, { repository }) => {
      values.text = `${values.text} ${await repository(Writer).count()}`
    },
    afterCreate: async ({ text }, { repository }) => {
      await repository(Writer).create({ name: `sent ${text}` })
    },
    afterDelete: async ({ text }, { repository }) => {
      await repository(Writer).updateMany({}, { name: `deleted ${text}` })
    }
  }
)

/** @param searches the driver has search. Default `true` */
export function scopedEntities(searches = true): readonly CompiledEntity[] {
  const placed = [Writer, searches ? SearchedWork : Work, Shelf, Letter, ...SCOPED_REFERENCES].map((definition) => ({
    definition,
    place: null
  }))
  return compileEntities(placed, 'conformance').entities
}

export interface ScopedContext {
  readonly opened: EntityRepositories
  readonly writers: Repository
  readonly works: Repository
  readonly shelves: Repository
  readonly letters: Repository
  readonly searches: boolean
  within<T>(organization: string, work: () => Promise<T>): Promise<T>
  across<T>(work: () => Promise<T>): Promise<T>
}

export async function openScoped({
  open,
  search: searches = true
}: Pick<ConformanceSubject, 'open' | 'search'>): Promise<ScopedContext> {
  const opened = await open(scopedEntities(searches))
  const { callers } = opened.scopes
  return {
    opened,
    writers: opened.repository('ScopedWriter'),
    works: opened.repository('ScopedWork'),
    shelves: opened.repository('OpenShelf'),
    letters: opened.repository('ScopedLetter'),
    searches,
    within: (organization, work) => callers.with({ organization }, work),
    across: (work) => callers.across(work)
  }
}

/** Across scopes, for tables that have a fence of their own. */
export async function emptyScoped({ opened, across }: ScopedContext): Promise<void> {
  await across(async () => {
    for (const entity of opened.entities) await opened.database.table(entityPlan(entity)).delete([])
  })
}

/** Every work of both organisations, as it stands. */
export function allWorks({ across, works }: ScopedContext): Promise<AnyRow[]> {
  return across(() => works.withDeleted().find({}, { order: [['stars', 'ASC']] }))
}

/** By the name of the case. */
export type ScopeCases = Readonly<Record<string, (context: ScopedContext) => Promise<void>>>

/** The same rows in both organisations, but for the numbers of stars; both stand on one shelf. */
export async function twins(context: ScopedContext): Promise<Readonly<Record<'a' | 'b', Twin>>> {
  const shelf = await context.shelves.create({ label: 'shared' })
  const fill = (organization: string, stars: number) =>
    context.within(organization, async (): Promise<Twin> => {
      const writer = await context.writers.create({ name: 'Ann', slug: 'ann' })
      const pupil = await context.writers.create({ name: 'Ben', slug: 'ben', mentorId: writer.id })
      const [first, second] = await context.works.createMany([
        { title: 'One', code: '1', stars, writerId: writer.id, shelfId: shelf.id },
        { title: 'Two', code: '2', stars: stars + 1, writerId: pupil.id }
      ])
      return { writer, pupil, first: first as AnyRow, second: second as AnyRow, shelf }
    })
  return { a: await fill('a', 1), b: await fill('b', 10) }
}

export interface Twin {
  readonly writer: AnyRow
  /** Of the writer. */
  readonly pupil: AnyRow
  readonly first: AnyRow
  readonly second: AnyRow
  readonly shelf: AnyRow
}

/** The rows of a walk, until it ends. */
export async function collected(rows: AsyncIterable<AnyRow>): Promise<AnyRow[]> {
  const all: AnyRow[] = []
  for await (const row of rows) all.push(row)
  return all
}
