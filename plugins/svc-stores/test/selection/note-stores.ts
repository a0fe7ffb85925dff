/** Two small stores as features declare them, for the tests of the selection. */
import type { Clock } from 'svc-kernel'
import type { StoreDefinition, StoreParts } from '../../src/selection/store-definition.ts'
import type { Database } from '../../src/table/database.ts'
import type { Table } from '../../src/table/table.ts'

export interface Note {
  readonly id: string
  readonly text: string
  readonly createdAt: number
}

export interface NoteStore {
  create(text: string): Promise<Note>
  find(id: string): Promise<Note | null>
}

export class TableNoteStore implements NoteStore {
  readonly #clock: Clock
  readonly #database: Database
  readonly #notes: Table<Note>

  constructor(database: Database, { clock }: StoreParts) {
    this.#clock = clock
    this.#database = database
    this.#notes = database.table({
      name: 'note',
      columns: [
        { name: 'id', type: 'id' },
        { name: 'text', type: 'text' },
        { name: 'createdAt', type: 'integer' }
      ]
    })
  }

  async create(text: string): Promise<Note> {
    const note = { id: this.#database.ids.generate(), text, createdAt: this.#clock.now() }
    await this.#notes.insert([note])
    return note
  }

  async find(id: string): Promise<Note | null> {
    return this.#notes.findOne({ id })
  }
}

/** @param brick `user`, `session`, ... */
export function noteStore(brick: string): StoreDefinition<NoteStore> {
  return {
    brick,
    operations: ['create', 'find'],
    open: (database, parts) => new TableNoteStore(database, parts),
    check: (store) => store.find('health')
  }
}
