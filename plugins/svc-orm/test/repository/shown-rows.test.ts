/** Rows for criteria that callers give: hidden fields are unknown to them at any depth, and no row has any. */
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import svcOrm, { defineEntity, type Repository, type ShownRows } from '../../src/index.ts'

const Team = defineEntity({
  name: 'Team',
  schema: { title: { type: 'string' }, joinToken: { type: 'string' } },
  relations: { members: { type: 'one-to-many', target: 'Account', mappedBy: 'team' } }
})

const Account = defineEntity({
  name: 'Account',
  schema: {
    mail: { type: 'string', unique: true },
    passwordHash: { type: 'string', unique: true },
    credit: { type: 'integer', hidden: true },
    phrase: { type: 'string', hidden: 'write-only' },
    open: { type: 'integer' }
  },
  relations: { team: { type: 'many-to-one', target: 'Team', nullable: true } },
  softDelete: true
})

async function accounts(t: Test) {
  const fastify = Fastify()
  t.teardown(() => fastify.close())
  await fastify.register(svcOrm, { memory: true, parts: { entities: [Team, Account] } })
  await fastify.ready()
  const teams = fastify.orm.repository('Team')
  const whole = fastify.orm.repository('Account')
  const { id: teamId } = await teams.create({ title: 'one', joinToken: 'J' })
  await whole.create({ mail: 'a', passwordHash: 'A', credit: 1, phrase: 'P', open: 5, teamId })
  await whole.create({ mail: 'b', passwordHash: 'B', credit: 2, phrase: 'P', open: 6 })
  return { fastify, whole, rows: whole.shown(), teams: teams.shown() }
}

const SHOWN = ['id', 'mail', 'open', 'teamId', 'deletedAt']

t.test('X3: no row has a hidden field, by whatever it is read, its own or that of a related one', async (t) => {
  const { rows, teams, whole } = await accounts(t)
  const all = { relations: ['team'] }
  const read = [
    ...(await rows.find()),
    ...(await rows.find({}, { order: [['mail', 'DESC']] })),
    await rows.findOne({ mail: 'a' }),
    await rows.findOne({ mail: 'a' }, { cache: 'request' }),
    ...(await rows.page({}, { limit: 5 })).items,
    ...(await whole.withDeleted().shown().find())
  ]
  for await (const row of rows.stream()) read.push(row)
  t.equal(read.length, 12)
  for (const row of read) t.strictSame(Object.keys(row ?? {}), SHOWN)

  const [related] = await rows.find({ mail: 'a' }, all)
  t.strictSame(Object.keys(related?.team), ['id', 'title'])
  const [team] = await teams.find({}, { include: { members: { select: ['mail'], include: { team: true } } } })
  t.strictSame(Object.keys(team ?? {}), ['id', 'title', 'members'])
  t.strictSame(Object.keys(team?.members[0]), ['id', 'mail', 'team'])
  t.strictSame(Object.keys(team?.members[0].team), ['id', 'title'])
  t.strictSame(Object.keys((await rows.findOne({}, { select: ['mail'] })) ?? {}), ['id', 'mail'])
})

type Ask = (rows: ShownRows) => Promise<unknown>

const ASKS: readonly (readonly [what: string, ask: Ask])[] = [
  ['a criterion', (rows) => rows.find({ passwordHash: 'A' })],
  ['one that may be write-only', (rows) => rows.count({ phrase: 'P' })],
  ['one in a list', (rows) => rows.exists({ $or: [{ mail: 'a' }, { credit: { $gt: 0 } }] })],
  ['one that is denied', (rows) => rows.findOne({ $not: { $and: [{ credit: 1 }] } })],
  ['one of a relation', (rows) => rows.find({ team: { joinToken: 'J' } })],
  ['one of a relation, as a path', (rows) => rows.count({ 'team.joinToken': 'J' })],
  ['one through two relations', (rows) => rows.find({ team: { members: { passwordHash: { $like: 'A%' } } } })],
  ['an order', (rows) => rows.find({}, { order: [['credit', 'ASC']] })],
  ['the order of a page', (rows) => rows.page({}, { order: [['passwordHash', 'ASC']] })],
  ['a selection', (rows) => rows.find({}, { select: ['passwordHash'] })],
  ['a selection of a relation', (rows) => rows.find({}, { include: { team: { select: ['joinToken'] } } })],
  [
    'a criterion of a relation that is loaded',
    (rows) => rows.find({}, { include: { team: { where: { joinToken: 'J' } } } })
  ],
  [
    'an order of one',
    (rows) => rows.find({}, { include: { team: { include: { members: { order: [['credit', 'ASC']] } } } } })
  ],
  ['a group', (rows) => rows.groupBy({}, { by: ['credit'] })],
  ['a measure', (rows) => rows.aggregate({}, { most: { max: 'credit' } })],
  ['distinct values', (rows) => rows.distinct('passwordHash')]
]

for (const [what, ask] of ASKS) {
  t.test(`X3: a hidden field is unknown: ${what}`, async (t) => {
    const { rows, whole } = await accounts(t)
    const error = await ask(rows).then(
      () => null,
      (error: Error & { code?: string; statusCode?: number }) => error
    )
    t.match(error, { code: 'SVC_ORM_UNKNOWN_FIELD', statusCode: 400 })
    const [, known = ''] = error?.message.split('known: ') ?? []
    t.notMatch(known, /passwordHash|credit|phrase|joinToken/, 'nor are the others named')
    await t.resolves(ask(whole), 'an application asks it all the same')
  })
}

t.test('X3: no cursor is made for a hidden field', async (t) => {
  const { rows, whole } = await accounts(t)
  const order = [['passwordHash', 'ASC']] as const
  const { next } = await whole.page({}, { limit: 1, order })
  t.match(Buffer.from(next ?? '', 'base64url').toString(), '"A"')
  await t.rejects(rows.page({}, { limit: 1, after: next ?? '' }), { code: 'SVC_ORM_OPTIONS' })
  await t.rejects(rows.page({}, { limit: 1, after: next ?? '', order }), { code: 'SVC_ORM_UNKNOWN_FIELD' })
})

t.test('X3: rows that lack what is hidden are not written', async (t) => {
  const { rows, whole } = await accounts(t)
  const writing = rows as Repository
  await t.rejects(writing.create({ mail: 'c' }), { code: 'SVC_ORM_OPTIONS', message: /shown\(\)/ })
  await t.rejects(writing.updateMany({}, { open: 1 }), { code: 'SVC_ORM_OPTIONS' })
  await t.rejects(writing.delete({}), { code: 'SVC_ORM_OPTIONS' })
  t.equal(await whole.count(), 2)
})

t.test('X3: inside a transaction as outside', async (t) => {
  const { whole } = await accounts(t)
  await whole.withTransaction(async (inside) => {
    await inside.updateMany({}, { open: 9 })
    const [row] = await inside.shown().find({ open: 9 })
    t.strictSame(Object.keys(row ?? {}), SHOWN)
    await t.rejects(inside.shown().find({ credit: 1 }), { code: 'SVC_ORM_UNKNOWN_FIELD' })
  })
})
