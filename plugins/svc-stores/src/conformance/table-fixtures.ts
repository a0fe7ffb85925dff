/** The tables of the suite: between them every type of column, unique columns and items, and a key that the caller gives. */
import assert from 'node:assert/strict'
import type { Database } from '../table/database.ts'
import type { Table } from '../table/table.ts'
import type { TablePlan } from '../table/table-plan.ts'

export interface Note {
  readonly id: string
  readonly title: string
  readonly slug: string | null
  readonly state: string
  readonly count: number
  readonly bound: number | null
  readonly ratio: number
  readonly open: boolean
  readonly at: number
  readonly day: Date | null
  readonly tags: readonly string[]
  readonly accounts: readonly Account[]
  readonly free: object
}

export interface Account {
  readonly provider: string
  readonly subject: string
}

export const notePlan: TablePlan = {
  name: 'suite_note',
  collection: 'SuiteNote',
  record: 'note',
  columns: [
    { name: 'id', type: 'id' },
    { name: 'title', type: 'text', searched: true },
    { name: 'slug', type: 'text', nullable: true },
    { name: 'state', type: 'text' },
    { name: 'count', type: 'integer' },
    { name: 'bound', type: 'integer', nullable: true },
    { name: 'ratio', type: 'float' },
    { name: 'open', type: 'boolean' },
    { name: 'at', type: 'time' },
    { name: 'day', type: 'date', nullable: true },
    { name: 'tags', type: 'text', list: true },
    { name: 'accounts', type: 'json', list: true },
    { name: 'free', type: 'document' }
  ],
  indexes: [{ columns: ['slug'], unique: true, held: 'slug' }, { columns: ['state', ['at', 'desc'], 'id'] }],
  itemIndexes: [
    { column: 'tags', table: 'suite_note_tag', columns: ['tag'], owner: 'noteId', name: 'by_tag' },
    {
      column: 'accounts',
      fields: ['subject', 'provider'],
      unique: true,
      table: 'suite_note_account',
      columns: ['subject', 'provider'],
      owner: 'noteId',
      name: 'unique_account'
    }
  ]
}

export interface Mark {
  readonly id: string
  readonly until: number
}

/** A key that the caller gives, and a field of another name among documents. */
export const markPlan: TablePlan = {
  name: 'suite_mark',
  collection: 'suite_mark',
  record: 'mark',
  columns: [
    { name: 'id', type: 'text', field: 'markId' },
    { name: 'until', type: 'integer' }
  ],
  indexes: [{ columns: ['id'], unique: true, name: 'unique_mark', on: 'documents' }, { columns: ['until'] }]
}

export interface TableContext {
  readonly database: Database
  readonly notes: Table<Note>
  readonly marks: Table<Mark>
  /** A complete note with an id of its own; ids ascend. */
  note(values?: Partial<Note>): Note
}

/** By the name of the case. */
export type TableCases = Readonly<Record<string, (context: TableContext) => Promise<void>>>

export const blankNote: Omit<Note, 'id'> = {
  title: 'a note',
  slug: null,
  state: 'new',
  count: 0,
  bound: null,
  ratio: 0.5,
  open: true,
  at: 1_700_000_000_000,
  day: null,
  tags: [],
  accounts: [],
  free: {}
}

/** The rows by one of their columns, in the order they came. */
export function columnOfRows<Row, Name extends keyof Row>(rows: readonly Row[], name: Name): Row[Name][] {
  return rows.map((row) => row[name])
}

/** The call is refused as a violation that names the record and its columns. */
export async function violates(call: () => Promise<unknown>, entity: string, fields: readonly string[]): Promise<void> {
  await assert.rejects(call, (error: { code?: unknown; entity?: unknown; fields?: readonly string[] }) => {
    assert.equal(error.code, 'SVC_ORM_UNIQUE')
    assert.equal(error.entity, entity)
    assert.deepEqual([...(error.fields ?? [])].sort(), [...fields].sort())
    return true
  })
}
