/** What finds ask of other fields, related rows and JSON follows from the definitions of entities. */
import type { FastifyInstance } from 'fastify'
import { defineEntity } from 'svc-orm'
import { expect, test } from 'tstyche'

declare const fastify: FastifyInstance

const Player = defineEntity({
  name: 'Player',
  schema: {
    email: { type: 'string', unique: true, nullable: true },
    since: { type: 'date', unique: true },
    name: { type: 'string' },
    visits: { type: 'integer', default: 0 }
  },
  relations: { squad: { type: 'many-to-one', target: 'Squad' } }
})

const Squad = defineEntity({
  name: 'Squad',
  schema: { title: { type: 'string' } },
  relations: { members: { type: 'one-to-many', target: 'Player', mappedBy: 'squad' } }
})

declare module 'svc-orm' {
  interface EntityTypes {
    Squad: typeof Squad
    Player: typeof Player
  }
}

test('what is asked of other fields, of what related rows come to, and in which order', () => {
  const members = fastify.orm.repository(Player)
  const squads = fastify.orm.repository(Squad)
  expect(members.find).type.toBeCallableWith({ name: { $field: { $eq: 'email' } } })
  expect(members.find).type.not.toBeCallableWith({ name: { $field: { $eq: 'visits' } } })
  expect(members.find).type.not.toBeCallableWith({ name: { $field: { $like: 'email' } } })
  expect(squads.find).type.toBeCallableWith({ members: { $count: { $gte: 3 }, name: 'x' } })
  expect(squads.find).type.toBeCallableWith({ members: { $sum: { visits: { $lt: 5, $field: { $ne: 'title' } } } } })
  expect(squads.find).type.toBeCallableWith({ members: { $max: { since: { $null: true } } } })
  expect(squads.find).type.not.toBeCallableWith({ members: { $count: 'x' } })
  expect(squads.find).type.not.toBeCallableWith({ members: { $sum: { visits: { $field: { $lt: 'nope' } } } } })
  expect(squads.find).type.toBeCallableWith({
    members: { $latest: { order: [['since', 'DESC']], limit: 3 }, name: 'x' }
  })
  expect(squads.find).type.not.toBeCallableWith({ members: { $latest: { order: [['nope', 'DESC']], limit: 3 } } })
  expect(members.find).type.toBeCallableWith({}, { order: [['squad.title', 'ASC']] })
  expect(squads.find).type.toBeCallableWith({}, { order: [['members.$count', 'DESC']] })
  expect(members.find).type.not.toBeCallableWith({}, { order: [['squad.nope', 'ASC']] })
  expect(members.find).type.not.toBeCallableWith({}, { order: [['squad.$count', 'ASC']] })
  expect(squads.find).type.not.toBeCallableWith({}, { order: [['members.name', 'ASC']] })
})

test('what is read of related rows: fields of them, the first of each, their number', async () => {
  const members = fastify.orm.repository(Player)
  const squads = fastify.orm.repository(Squad)
  const [some] = await members.find({}, { select: ['name', 'squad.title'] })
  expect(some?.squad).type.toBe<{ id: string; title: string } | null | undefined>()
  expect(members.find).type.not.toBeCallableWith({}, { select: ['squad.nope'] })
  const early = { relation: 'members', where: { visits: { $gt: 1 } } } as const
  const [squad] = await squads.find({}, { include: { members: { limit: 3 } }, counts: { members: true, early } })
  expect(squad?.counts).type.toBe<{ members: number; early: number } | undefined>()
  expect(squad?.members[0]?.name).type.toBe<string | undefined>()
  expect(squads.find).type.not.toBeCallableWith({}, { counts: { nope: true } })
  expect(members.find).type.not.toBeCallableWith({}, { counts: { squad: true } })
  expect(squads.find).type.not.toBeCallableWith({}, { counts: { some: { relation: 'nope' } } })
})

test('what is asked of JSON at a path', () => {
  const Lamp = defineEntity({
    name: 'Lamp',
    schema: { name: { type: 'string' }, data: { type: 'json' }, more: { type: 'json', nullable: true } }
  })
  const lamps = fastify.orm.repository(Lamp)
  expect(lamps.find).type.toBeCallableWith({ 'data.watts': { $gt: 50 }, 'more.a.0': ['x', null] })
  expect(lamps.find).type.toBeCallableWith({}, { order: [['data.watts', 'ASC']] })
  expect(lamps.find).type.not.toBeCallableWith({ 'name.length': 5 })
  expect(lamps.find).type.not.toBeCallableWith({ 'data.watts': { $like: 'x' } })
  expect(lamps.find).type.not.toBeCallableWith({}, { order: [['name.length', 'ASC']] })
})

const Shelf = defineEntity({
  name: 'Shelf',
  schema: { label: { type: 'string' } },
  relations: { parent: { type: 'many-to-one', target: 'Shelf', nullable: true } },
  tree: 'parent'
})

declare module 'svc-orm' {
  interface EntityTypes {
    Shelf: typeof Shelf
  }
}

test('what is asked of trees', async () => {
  const shelves = fastify.orm.repository(Shelf)
  expect(shelves.find).type.toBeCallableWith({ $within: 'id' })
  expect(shelves.find).type.toBeCallableWith({ $pathTo: { label: 'x', $depth: 2 } })
  expect(shelves.find).type.toBeCallableWith({ parent: { $within: { label: 'x' } } })
  expect(shelves.find).type.not.toBeCallableWith({ $within: 7 })
  expect(shelves.find).type.not.toBeCallableWith({ $within: { nope: 'x' } })
  expect(shelves.descendants).type.not.toBeCallableWith({ label: 'x' })
  expect(shelves.descendants).type.not.toBeCallableWith('id', { limit: 3 })
  const [below] = await shelves.descendants('id', { depthAs: 'level', select: ['label'], maxDepth: 2 })
  expect(below?.level).type.toBe<number | undefined>()
  expect(below?.label).type.toBe<string | undefined>()
  const [above] = await shelves.ancestors('id')
  expect(above?.parentId).type.toBe<string | null | undefined>()
})
