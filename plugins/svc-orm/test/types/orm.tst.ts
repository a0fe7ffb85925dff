/** Rows, values and criteria follow from the definition of an entity. */
import type { FastifyInstance } from 'fastify'
import svcOrm, {
  crud,
  defineEntity,
  defineFieldType,
  type KeyOf,
  type NewOf,
  type Page,
  type RelatedRow,
  type Repository,
  type RowOf,
  type SvcOrmOptions,
  withHooks
} from 'svc-orm'
import type { OpenTransaction } from 'svc-stores/table'
import { expect, test } from 'tstyche'

declare const fastify: FastifyInstance

const Article = defineEntity({
  name: 'Article',
  schema: {
    title: { type: 'string' },
    reads: { type: 'integer', default: 0 },
    tags: { type: 'string', array: true },
    at: { type: 'date', nullable: true },
    photo: { type: 'bytes', nullable: true },
    price: { type: 'decimal', scale: 2, default: 0 },
    state: { type: 'enum', values: ['draft', 'published'], default: 'draft' }
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
  expect<Row['photo']>().type.toBe<Uint8Array | null>()
  expect<NewOf<typeof Article>['photo']>().type.toBeAssignableFrom<Buffer | string | null>()
  expect<Row['price']>().type.toBeAssignableTo<string>()
  expect<NewOf<typeof Article>['price']>().type.toBeAssignableFrom<string | number | bigint>()
  expect<Row['state']>().type.toBe<'draft' | 'published'>()
  expect<Row['authorId']>().type.toBe<string>()
  expect<Row['editedBy']>().type.toBe<string | null>()
  expect<Row['createdAt']>().type.toBe<Date>()
  expect<Row['author']>().type.toBe<RelatedRow | null | undefined>()
  expect<Row['comments']>().type.toBe<RelatedRow[] | undefined>()
})

test('a retired field is in no row, new row, criterion or order', () => {
  const Person = defineEntity({
    name: 'Person',
    schema: { first: { type: 'string' }, name: { type: 'string', retired: true } }
  })
  expect<RowOf<typeof Person>>().type.toBe<{ id: string; first: string }>()
  expect<NewOf<typeof Person>>().type.toBe<{ id?: string; first: string }>()
  const people = fastify.orm.repository(Person)
  expect(people.find).type.not.toBeCallableWith({ name: 'Ada' })
  expect(people.find).type.not.toBeCallableWith({}, { order: [['name', 'ASC']] })
})

test('a scope is a field of rows, which a new row may leave out, and a key does without', () => {
  const Invoice = defineEntity({
    name: 'Invoice',
    scope: 'organization',
    schema: { number: { type: 'string', unique: true } }
  })
  expect<RowOf<typeof Invoice>>().type.toBe<{ id: string; number: string; organizationId: string }>()
  expect<NewOf<typeof Invoice>>().type.toBe<{ id?: string; number: string; organizationId?: string }>()
  const invoices = fastify.orm.repository(Invoice)
  expect(invoices.find).type.toBeCallableWith({ organizationId: 'a' }, { order: [['organizationId', 'ASC']] })
  expect(invoices.upsert).type.toBeCallableWith({ number: '1' }, { number: '1' })
  expect(fastify.orm.withScope({ organization: 'a' }, async () => 7)).type.toBe<Promise<number>>()
  expect(fastify.orm.acrossScopes('a report', () => 'x')).type.toBe<string>()
  expect(fastify.orm.withScope).type.not.toBeCallableWith({ organization: 7 }, () => 7)
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
  expect<NewOf<typeof Article>>().type.not.toBeAssignableFrom({ title: 't', tags: [], authorId: 'a', state: 'lost' })
  expect<NewOf<typeof Article>>().type.not.toBeAssignableFrom({ title: 't', tags: [] })
})

test('criteria, order, relations and changes know the fields', () => {
  const articles = fastify.orm.repository(Article)
  expect(articles.increment).type.toBeCallableWith({ title: 't' }, 'price', '0.10')
  expect(articles.increment).type.not.toBeCallableWith({ title: 't' }, 'title', 1)
  expect(articles.aggregate).type.toBeCallableWith({}, { sum: { sum: 'price' } })
  expect(articles.aggregate).type.not.toBeCallableWith({}, { sum: { sum: 'title' } })
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
  expect<RowOf<typeof Member>['team']>().type.toBe<RowOf<typeof Team> | null | undefined>()
  expect<RowOf<typeof Member>['seat']>().type.toBe<RelatedRow | null | undefined>()
  expect<NonNullable<RowOf<typeof Team>['members']>[number]['visits']>().type.toBe<number>()
  expect<NonNullable<RowOf<typeof Team>['members']>[number]['seatId']>().type.toBe<string | null>()
  expect<NonNullable<RowOf<typeof Team>['members']>[number]['team']>().type.toBe<
    RowOf<typeof Team> | null | undefined
  >()
})

test('criteria: joined, and through relations', () => {
  const members = fastify.orm.repository(Member)
  const teams = fastify.orm.repository(Team)
  expect(members.find).type.toBeCallableWith({ $or: [{ name: 'a' }, { $not: { visits: 1 } }], $and: [] })
  expect(members.find).type.not.toBeCallableWith({ $or: [{ nope: 1 }] })
  expect(members.find).type.not.toBeCallableWith({ $not: { visits: 'x' } })
  expect(members.find).type.toBeCallableWith({ 'team.title': { $like: 'a%' } })
  expect(members.find).type.not.toBeCallableWith({ 'team.title': 5 })
  expect(members.find).type.not.toBeCallableWith({ 'team.nope': 'x' })
  expect(members.find).type.toBeCallableWith({ team: { title: 'x', members: { visits: { $gt: 1 } } } })
  expect(members.find).type.toBeCallableWith({ seat: null, team: { $exists: true } })
  expect(members.find).type.not.toBeCallableWith({ team: { nope: 'x' } })
  expect(teams.find).type.toBeCallableWith({ members: { name: 'x', $exists: false } })
})

test('what is found has the fields that were selected, and the relations that were asked for', async () => {
  const members = fastify.orm.repository(Member)
  const teams = fastify.orm.repository(Team)
  expect(await members.find({})).type.toBe<RowOf<typeof Member>[]>()
  const [some] = await members.find({}, { select: ['name'] })
  expect(some).type.toBe<{ id: string; name: string } | undefined>()
  const found = await members.findOne({}, { relations: ['team'] })
  expect(found?.team?.title).type.toBe<string | undefined>()
  const [team] = await teams.find({}, { include: { members: { select: ['visits'], include: { team: true } } } })
  expect(team?.title).type.toBe<string | undefined>()
  expect(team?.members[0]?.visits).type.toBe<number | undefined>()
  expect(team?.members[0]?.team?.title).type.toBe<string | undefined>()
  expect(teams.find).type.not.toBeCallableWith({}, { select: ['nope'] })
  expect(teams.find).type.not.toBeCallableWith({}, { include: { nope: true } })
  const { items, next } = await teams.page({}, { include: { members: true }, after: undefined })
  expect(items[0]?.members[0]?.name).type.toBe<string | undefined>()
  expect(next).type.toBe<string | null>()
  for await (const row of members.stream({}, { select: [] })) expect(row).type.toBe<{ id: string }>()
})

test('what is said of rows together', async () => {
  const members = fastify.orm.repository(Member)
  const all = await members.aggregate({}, { n: { count: true }, visits: { sum: 'visits' }, first: { min: 'since' } })
  expect(all).type.toBe<{ n: number; visits: number | null; first: Date | null }>()
  const measures = { n: { count: true } } as const
  const [group] = await members.groupBy({}, { by: ['teamId'], measures, order: [['n', 'DESC']] })
  expect(group?.teamId).type.toBe<string | undefined>()
  expect(group?.n).type.toBe<number | undefined>()
  expect(await members.distinct('email')).type.toBe<(string | null)[]>()
  expect(members.aggregate).type.not.toBeCallableWith({}, { x: { sum: 'name' } })
  expect(members.groupBy).type.not.toBeCallableWith({}, { by: ['nope'] })
  expect(members.distinct).type.not.toBeCallableWith('team')
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
  expect(articles.find).type.toBeCallableWith({}, { lock: 'share' })
  expect(articles.stream).type.toBeCallableWith({}, { lock: 'skipLocked' })
  expect(articles.page).type.not.toBeCallableWith({}, { lock: 'update' })
  expect(articles.find).type.not.toBeCallableWith({}, { lock: 'chaos' })
  expect(fastify.orm.begin()).type.toBe<Promise<OpenTransaction>>()
  expect(fastify.orm.begin).type.toBeCallableWith('reports', {
    isolation: 'serializable'
  })
  expect<OpenTransaction>().type.toBeAssignableTo<AsyncDisposable>()
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

test('what the repository keeps, and hooks of an entity', () => {
  const Kept = defineEntity({
    name: 'Kept',
    schema: { title: { type: 'string' }, size: { type: 'integer', default: 0 } },
    softDelete: true,
    version: true
  })
  expect<RowOf<typeof Kept>['deletedAt']>().type.toBe<Date | null>()
  expect<RowOf<typeof Kept>['version']>().type.toBe<number>()
  expect<Row>().type.not.toHaveProperty('version')
  const hooked = withHooks(Kept, {
    beforeCreate: (values, { tx, repository }) => {
      expect(values.title).type.toBe<string>()
      values.size = values.title.length
      expect(repository(Article)).type.toBe<Repository<Row, NewOf<typeof Article>, KeyOf<typeof Article>>>()
      expect(tx.connector).type.toBe<string>()
    },
    beforeUpdate: async (changes, row) => {
      expect(changes.title).type.toBe<string | undefined>()
      expect(row).type.toBe<RowOf<typeof Kept>>()
    },
    afterUpdate: (row, before) => {
      expect(before).type.toBe<typeof row>()
    }
  })
  expect(hooked).type.toBe<typeof Kept>()
  expect(withHooks).type.not.toBeCallableWith(Kept, { beforeSave: () => undefined })
  const kept = fastify.orm.repository(Kept)
  expect(kept.restore({ title: 'x' })).type.toBe<Promise<number>>()
  expect(kept.withDeleted()).type.toBe<typeof kept>()
})

test('a whole row is given without what is hidden', () => {
  const Account = defineEntity({
    name: 'Account',
    schema: {
      mail: { type: 'string' },
      note: { type: 'string', hidden: true },
      phrase: { type: 'string', hidden: 'write-only' },
      publicToken: { type: 'string', hidden: false }
    }
  })
  const { whole } = crud(Account)
  expect(whole).type.toBeCallableWith({ mail: 'a', publicToken: 'b' })
  expect(whole).type.not.toBeCallableWith({ mail: 'a' })
  expect(fastify.orm.repository(Account).shown()).type.not.toHaveProperty('create')
})

test('a page of rows that have relations', () => {
  const pages = fastify.orm.repository(Article)
  expect(crud(Article).page(pages, {})).type.toBe<Promise<Page<Row>>>()
})

test('a field type of your own gives its rows their values', () => {
  class Point {
    readonly x = 0
  }
  const point = defineFieldType<Point, Point | string>({
    name: 'point',
    storage: 'text',
    read: (given) => String(given),
    fromStored: (_stored: string) => new Point(),
    expected: 'a point',
    schema: { type: 'string' }
  })
  const Place = defineEntity({
    name: 'Place',
    schema: { at: { type: point }, before: { type: point, nullable: true }, all: { type: point, array: true } }
  })
  expect<RowOf<typeof Place>>().type.toBe<{ id: string; at: Point; before: Point | null; all: Point[] }>()
  expect<NewOf<typeof Place>['at']>().type.toBe<Point | string>()
  expect(defineEntity).type.not.toBeCallableWith({ name: 'Place', schema: { at: { type: 'point' } } })
})

test('indexes: upsert takes the key of an index of some rows, criteria what an index folds', () => {
  const Page = defineEntity({
    name: 'Page',
    schema: { slug: { type: 'string', unique: 'present' }, site: { type: 'string' }, title: { type: 'string' } },
    indexes: [
      { fields: ['site', 'title'], unique: 'present' },
      { fields: ['site'], unique: true, where: { title: { $gte: 'a' } } },
      { fields: [{ field: 'title', fold: true }], unique: true }
    ],
    softDelete: true
  })
  expect(Page.name).type.toBe<'Page'>()
  const pages = {} as Repository<RowOf<typeof Page>, NewOf<typeof Page>, KeyOf<typeof Page>>
  expect(pages.upsert).type.toBeCallableWith({ slug: 'x' }, {})
  expect(pages.upsert).type.toBeCallableWith({ site: 'x', title: 'y' }, {})
  expect(pages.upsert).type.toBeCallableWith({ site: 'x' }, {})
  expect(pages.upsert).type.not.toBeCallableWith({ title: 'x' }, {})
  expect(pages.find).type.toBeCallableWith({ title: { $ieq: 'x' } })
  expect(pages.find).type.not.toBeCallableWith({ title: { $ieq: 5 } })
})
