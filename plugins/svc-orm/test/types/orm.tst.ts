/** Rows, values and criteria follow from the definition of an entity. */
import type { FastifyInstance } from 'fastify'
import svcOrm, {
  defineEntity,
  type KeyOf,
  type NewOf,
  type RelatedRow,
  type Repository,
  type RowOf,
  type SvcOrmOptions
} from 'svc-orm'
import { expect, test } from 'tstyche'

declare const fastify: FastifyInstance

const Article = defineEntity({
  name: 'Article',
  schema: {
    title: { type: 'string' },
    reads: { type: 'integer', default: 0 },
    tags: { type: 'string', array: true },
    at: { type: 'date', nullable: true }
  },
  relations: {
    author: { type: 'many-to-one', target: 'Author' },
    editor: { type: 'many-to-one', target: 'Author', field: 'editedBy', nullable: true },
    comments: { type: 'one-to-many', target: 'Comment', mappedBy: 'article' }
  },
  timestamps: true
})

type Row = RowOf<typeof Article>

test('a row has every field, references, timestamps, and relations that may be loaded', () => {
  expect<Row['id']>().type.toBe<string>()
  expect<Row['reads']>().type.toBe<number>()
  expect<Row['tags']>().type.toBe<string[]>()
  expect<Row['at']>().type.toBe<Date | null>()
  expect<Row['authorId']>().type.toBe<string>()
  expect<Row['editedBy']>().type.toBe<string | null>()
  expect<Row['createdAt']>().type.toBe<Date>()
  expect<Row['author']>().type.toBe<RelatedRow | null | undefined>()
  expect<Row['comments']>().type.toBe<RelatedRow[] | undefined>()
})

test('a new row leaves out what has a default or may be null', () => {
  expect<NewOf<typeof Article>>().type.toBeAssignableFrom({ title: 't', tags: ['x'], authorId: 'a' })
  expect<NewOf<typeof Article>>().type.toBeAssignableFrom({
    title: 't',
    tags: [],
    authorId: 'a',
    at: '2024-01-01T00:00:00Z'
  })
  expect<NewOf<typeof Article>>().type.not.toBeAssignableFrom({ title: 't', authorId: 'a' })
  expect<NewOf<typeof Article>>().type.not.toBeAssignableFrom({ title: 't', tags: [] })
})

test('criteria, order, relations and changes know the fields', () => {
  const articles = fastify.orm.repository(Article)
  expect(articles).type.toBe<Repository<RowOf<typeof Article>, NewOf<typeof Article>, KeyOf<typeof Article>>>()
  expect(articles).type.toBeAssignableTo<Repository<RowOf<typeof Article>, NewOf<typeof Article>>>()
  expect(articles.find).type.toBeCallableWith({ tags: 'x', reads: { $gt: 1 }, title: ['a', null], at: null })
  expect(articles.find).type.toBeCallableWith({}, { order: [['createdAt', 'DESC']], relations: ['author'] })
  expect(articles.find).type.not.toBeCallableWith({ nope: 1 })
  expect(articles.find).type.not.toBeCallableWith({ reads: 'x' })
  expect(articles.find).type.not.toBeCallableWith({ author: 'x' })
  expect(articles.find).type.not.toBeCallableWith({ title: undefined })
  expect(articles.find).type.not.toBeCallableWith({}, { order: [['author', 'ASC']] })
  expect(articles.find).type.not.toBeCallableWith({}, { relations: ['title'] })
  expect(articles.updateOne).type.toBeCallableWith({ id: 'x' }, { title: 'y', $max: { reads: 3 } })
  expect(articles.updateOne).type.not.toBeCallableWith({ id: 'x' }, { $max: { title: 'y' } })
})

const Member = defineEntity({
  name: 'Member',
  schema: {
    email: { type: 'string', unique: true, nullable: true },
    since: { type: 'date', unique: true },
    name: { type: 'string' },
    visits: { type: 'integer', default: 0 }
  },
  relations: {
    team: { type: 'many-to-one', target: 'Team' },
    seat: { type: 'one-to-one', target: 'Seat', nullable: true }
  },
  indexes: [{ fields: ['teamId', 'name'], unique: true }, { fields: ['name'] }]
})

const Team = defineEntity({
  name: 'Team',
  schema: { title: { type: 'string' } },
  relations: { members: { type: 'one-to-many', target: 'Member', mappedBy: 'team' } }
})

declare module 'svc-orm' {
  interface EntityTypes {
    Team: typeof Team
    Member: typeof Member
  }
}

test('C10: loaded relations have the types of their entities, as far as EntityTypes names them', () => {
  expect<RowOf<typeof Member>['team']>().type.toBe<{ id: string; title: string } | null | undefined>()
  expect<RowOf<typeof Member>['seat']>().type.toBe<RelatedRow | null | undefined>()
  expect<NonNullable<RowOf<typeof Team>['members']>[number]['visits']>().type.toBe<number>()
  expect<NonNullable<RowOf<typeof Team>['members']>[number]['seatId']>().type.toBe<string | null>()
  expect<NonNullable<RowOf<typeof Team>['members']>[number]>().type.not.toHaveProperty('team')
})

test('C10: increment takes number fields, upsert what names one row', () => {
  const members = fastify.orm.repository(Member)
  expect(members.increment).type.toBeCallableWith({ id: 'x' }, 'visits', 2)
  expect(members.increment).type.not.toBeCallableWith({ id: 'x' }, 'typo')
  expect(members.increment).type.not.toBeCallableWith({ id: 'x' }, 'name')
  expect(members.upsert).type.toBeCallableWith({ id: 'x' }, {})
  expect(members.upsert).type.toBeCallableWith({ email: 'x' }, { name: 'n' })
  expect(members.upsert).type.toBeCallableWith({ since: '2024-01-01T00:00:00Z' }, {})
  expect(members.upsert).type.toBeCallableWith({ seatId: 'x' }, {})
  expect(members.upsert).type.toBeCallableWith({ teamId: 'x', name: 'n' }, {})
  expect(members.upsert).type.not.toBeCallableWith({ name: 'n' }, {})
  expect(members.upsert).type.not.toBeCallableWith({ teamId: 'x' }, {})
  expect(members.upsert).type.not.toBeCallableWith({ email: null }, {})
  expect(members.upsert).type.not.toBeCallableWith({}, {})
  const any = fastify.orm.repository('Member')
  expect(any.upsert).type.toBeCallableWith({ whatever: 1 }, {})
  expect(any.increment).type.toBeCallableWith({}, 'whatever')
})

test('D4: options of a find and of a transaction', () => {
  const articles = fastify.orm.repository(Article)
  expect(articles.find).type.toBeCallableWith({}, { lock: 'update' })
  expect(articles.find).type.not.toBeCallableWith({}, { lock: 'share' })
  const work = async () => 5
  expect(articles.withTransaction(work, { isolation: 'serializable' })).type.toBe<Promise<number>>()
  expect(fastify.orm.transaction(work, { isolation: 'repeatable read' })).type.toBe<Promise<number>>()
  expect(fastify.orm.transaction(work, 'reports', { isolation: 'read committed' })).type.toBe<Promise<number>>()
  expect(fastify.orm.transaction).type.not.toBeCallableWith(work, { isolation: 'chaos' })
})

test('an entity that is known by name alone takes what it is given', () => {
  const any = fastify.orm.repository('Article')
  expect(any.find).type.toBeCallableWith({ whatever: 1 }, { order: [['whatever', 'ASC']], relations: ['whatever'] })
  expect(any.create).type.toBeCallableWith({ whatever: 1 })
})

test('a definition is checked where it is written', () => {
  expect(defineEntity).type.not.toBeCallableWith({ name: 'X', schema: { a: { type: 'strnig' } } })
  expect(defineEntity).type.not.toBeCallableWith({
    name: 'X',
    schema: {},
    relations: { a: { type: 'many-to-many', target: 'Y' } }
  })
})

test('options', () => {
  expect(fastify.register(svcOrm, { dir: 'entities', memory: true })).type.not.toRaiseError()
  expect<SvcOrmOptions>().type.not.toBeAssignableFrom({ memory: 'yes' })
})
