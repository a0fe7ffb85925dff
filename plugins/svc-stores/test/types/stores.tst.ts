/** The types drivers and consumers meet. */
import type { FastifyInstance } from 'fastify'
import type { StoreDefinition } from 'svc-stores'
import { atLeast, type Change, type Table, type Where } from 'svc-stores/table'
import { expect, test } from 'tstyche'

interface Note {
  readonly id: string
  readonly text: string | null
  readonly count: number
  readonly tags: readonly string[]
}

interface NoteStore {
  find(id: string): Promise<Note | null>
}

declare const fastify: FastifyInstance
declare const notes: StoreDefinition<NoteStore>
declare const table: Table<Note>

test('a selection has a store, or says that the brick is disabled', () => {
  const selection = fastify.stores.select(notes, 'auto')
  expect(selection.store).type.toBe<NoteStore | null>()
  if (selection.driver !== null) expect(selection.store).type.toBe<NoteStore>()
  expect(fastify.stores.select<NoteStore>).type.not.toBeCallableWith(notes, 'auto', { find: () => null })
})

test('a driver provides a store of its own making', () => {
  const store: NoteStore = { find: async () => null }
  expect(fastify.stores.provide).type.toBeCallableWith('note', 'sqlorm', () => store)
  expect(fastify.stores.provide).type.not.toBeCallableWith('note', 'sqlorm', () => null)
})

test('a query names columns, and asks for null by name', () => {
  expect<Where<Note>>().type.toBeAssignableFrom({ id: 'a', count: atLeast(1) })
  expect<Where<Note>>().type.not.toBeAssignableFrom({ text: null })
  expect<Where<Note>>().type.not.toBeAssignableFrom({ title: 'a' })
  expect<Where<Note>>().type.not.toBeAssignableFrom({ count: { $gte: 1 } })
})

test('a change adds to numbers and pushes into lists', () => {
  expect<Change<Note>>().type.toBeAssignableFrom({ set: { text: null }, add: { count: 1 }, push: { tags: 'x' } })
  expect<Change<Note>>().type.not.toBeAssignableFrom({ add: { text: 1 } })
  expect<Change<Note>>().type.not.toBeAssignableFrom({ push: { tags: 1 } })
})

test('rows come out as they are declared', async () => {
  expect(await table.findOne({ id: 'a' })).type.toBe<Note | null>()
})
