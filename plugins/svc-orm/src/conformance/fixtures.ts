/** The entities that every driver is tried with: each type, each kind of relation, each kind of index. */
import { compileEntities } from '../entities/compile-entities.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { defineEntity, type EntityDefinition } from '../entities/entity-definition.ts'
import { withHooks } from '../repository/entity-hooks.ts'
import { PAIR_DEFINITIONS } from './pair-fixtures.ts'
import { REFERENCE_DEFINITIONS } from './reference-fixtures.ts'
import { TREE_DEFINITIONS } from './tree-fixtures.ts'

export const Thing = defineEntity({
  name: 'Thing',
  schema: {
    label: { type: 'string', nullable: true },
    code: { type: 'string', nullable: true, unique: true },
    body: { type: 'text', nullable: true },
    short: { type: 'string', nullable: true, maxLength: 3 },
    count: { type: 'integer', default: 0 },
    total: { type: 'integer', nullable: true },
    ratio: { type: 'float', nullable: true },
    open: { type: 'boolean', nullable: true },
    at: { type: 'date', nullable: true },
    amount: { type: 'decimal', scale: 2, nullable: true },
    big: { type: 'bigint', nullable: true },
    serial: { type: 'bigint', nullable: true, unique: true },
    cost: { type: 'money', scale: 2, nullable: true, unique: true },
    price: { type: 'decimal', scale: 3, default: 0, check: { min: 0, max: '10.5' } },
    day: { type: 'day', nullable: true, check: { min: '1000-01-01' } },
    token: { type: 'uuid', nullable: true },
    mail: { type: 'email', nullable: true, unique: true },
    site: { type: 'url', nullable: true },
    lasts: { type: 'interval', nullable: true },
    state: { type: 'enum', values: ['draft', 'Published', 'é'], nullable: true },
    states: { type: 'enum', values: ['draft', 'Published'], array: true, nullable: true },
    stock: { type: 'integer', nullable: true, check: { min: -2, max: 5 } },
    slug: { type: 'string', nullable: true, check: { pattern: '^[a-z]+$', minLength: 2 } },
    seen: { type: 'date', nullable: true, check: { max: '2026-01-01T00:00:00Z' } },
    settings: { type: 'json', nullable: true, schema: { type: 'object', properties: { size: { type: 'integer' } } } },
    data: { type: 'json', nullable: true },
    photo: { type: 'bytes', nullable: true },
    thumb: { type: 'bytes', nullable: true, maxLength: 3 },
    tags: { type: 'string', array: true, nullable: true },
    numbers: { type: 'integer', array: true, nullable: true },
    owner: { type: 'id', nullable: true }
  }
})

/** Required fields, a unique index of two fields, timestamps. */
export const Pair = defineEntity({
  name: 'Pair',
  schema: {
    left: { type: 'string' },
    right: { type: 'string', nullable: true },
    note: { type: 'string', nullable: true },
    visits: { type: 'integer', default: 0 }
  },
  indexes: [{ fields: ['left', 'right'], unique: true }],
  timestamps: true
})

/** A name that makes two words of its table. */
export const BookAuthor = defineEntity({
  name: 'BookAuthor',
  schema: { name: { type: 'string' } },
  relations: {
    books: { type: 'one-to-many', target: 'Book', mappedBy: 'author' },
    mentor: { type: 'many-to-one', target: 'BookAuthor', nullable: true, onDelete: 'none' }
  }
})

export const Book = defineEntity({
  name: 'Book',
  schema: { title: { type: 'string' } },
  relations: { author: { type: 'many-to-one', target: 'BookAuthor', nullable: true, onDelete: 'none' } }
})

export const Passport = defineEntity({
  name: 'Passport',
  schema: { number: { type: 'string', unique: true } },
  relations: { holder: { type: 'one-to-one', target: 'BookAuthor', field: 'heldBy', onDelete: 'none' } }
})

/** Rows that are marked when they are deleted, and versions. */
export const Folder = defineEntity({
  name: 'Folder',
  schema: { path: { type: 'string', unique: true }, files: { type: 'integer', default: 0 } },
  relations: {
    parent: { type: 'many-to-one', target: 'Folder', nullable: true, onDelete: 'none' },
    folders: { type: 'one-to-many', target: 'Folder', mappedBy: 'parent' }
  },
  softDelete: true,
  version: true
})

/** Rows that come to something for the row that they belong to. */
export const Invoice = defineEntity({
  name: 'Invoice',
  schema: {
    number: { type: 'string' },
    total: { type: 'decimal', scale: 2, nullable: true },
    parts: { type: 'integer', nullable: true }
  },
  relations: { payments: { type: 'one-to-many', target: 'Payment', mappedBy: 'invoice' } }
})

export const Payment = defineEntity({
  name: 'Payment',
  schema: {
    amount: { type: 'decimal', scale: 2, nullable: true },
    weight: { type: 'integer', nullable: true },
    rate: { type: 'float', nullable: true },
    at: { type: 'date', nullable: true },
    state: { type: 'string', default: 'done' }
  },
  relations: { invoice: { type: 'many-to-one', target: 'Invoice', nullable: true, onDelete: 'none' } }
})

/** Unique among present rows, among those that meet conditions, and in any case. */
export const Page = defineEntity({
  name: 'Page',
  schema: {
    slug: { type: 'string', unique: 'present' },
    site: { type: 'string', default: 's' },
    key: { type: 'string', nullable: true },
    state: { type: 'string', default: 'draft' },
    rank: { type: 'decimal', scale: 2, nullable: true },
    title: { type: 'string', nullable: true },
    mail: { type: 'email', nullable: true }
  },
  indexes: [
    { fields: ['site', { field: 'title', fold: true }], unique: 'present' },
    { fields: [{ field: 'mail', fold: true }], unique: true },
    { fields: ['site', 'key'], unique: true, where: { state: 'live', rank: { $gte: '1.50' } } },
    { fields: ['site'], where: { deletedAt: null } }
  ],
  softDelete: true
})

/** Hooks that change what is written, write other rows, and refuse: `refused` before, `refused later` after. */
export const Letter = withHooks(
  defineEntity({
    name: 'Letter',
    schema: { text: { type: 'string' }, size: { type: 'integer', default: 0 }, read: { type: 'integer', default: 0 } },
    version: true
  }),
  {
    beforeCreate: (values) => {
      refuse(values.text, 'refused')
      values.size = String(values.text).length
    },
    afterCreate: async ({ text }, { repository }) => {
      await repository(Thing).create({ label: `created ${text}` })
      refuse(text, 'refused later')
    },
    beforeUpdate: (changes) => {
      if (changes.text === undefined) return
      refuse(changes.text, 'refused')
      changes.size = changes.text.length
    },
    afterUpdate: async (row, before, { repository }) => {
      await repository('Thing').create({ label: `${before.text} became ${row.text}`, count: row.size })
      refuse(row.text, 'refused later')
    },
    beforeDelete: ({ read }) => refuse(String(read), '13'),
    afterDelete: async ({ text }, { repository, tx }) => {
      await tx.savepoint(async () => undefined)
      await repository(Thing).create({ label: `deleted ${text}` })
    }
  }
)

function refuse(given: string, refused: string): void {
  if (given === refused) throw new RangeError(refused)
}

const DEFINITIONS: readonly EntityDefinition[] = [
  ...[Thing, Pair, BookAuthor, Book, Passport, Folder, Page, Letter],
  ...[Invoice, Payment],
  ...REFERENCE_DEFINITIONS,
  ...PAIR_DEFINITIONS,
  ...TREE_DEFINITIONS
]

/** Compiled, as a connector gets them. */
export function conformanceEntities(): readonly CompiledEntity[] {
  return compileEntities(
    DEFINITIONS.map((definition) => ({ definition, place: null })),
    'conformance'
  ).entities
}
