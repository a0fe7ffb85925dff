/** SQLite keeps several types alike: what a first migration makes of a column that stands, by a table written by hand. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { defineEntity, type FieldDefinition } from 'svc-orm'
import t from 'tap'
import { problemsOf, project } from '../support/migrated-project.ts'

interface Case {
  readonly column: string
  readonly held: readonly (string | number | null)[]
  readonly field: FieldDefinition
  /** The step that changes it; absent: it is what the field keeps. */
  readonly step?: string
  /** Values afterwards; absent: a value stops it. */
  readonly values?: readonly unknown[]
  /** What the mark says that it may have been. */
  readonly doubt?: string
  readonly warning?: RegExp
}

const string = { type: 'string', nullable: true } as const
const json = { type: 'json', nullable: true } as const

const CASES: Readonly<Record<string, Case>> = {
  'texts that are texts': { column: 'text', held: ['a', 'true', '5'], field: string, values: ['a', 'true', '5'] },
  'texts that could be JSON, of which none has to be': {
    column: 'text',
    held: ['true', '5'],
    field: string,
    values: ['true', '5']
  },
  'JSON that was JSON': { column: 'text', held: ['"a"', '{"b":1}'], field: json, values: ['a', { b: 1 }] },
  'JSON that becomes text': {
    column: 'text',
    held: ['"a"', '"b"', null],
    field: string,
    step: 'change Thing.it from json, may be null to text, may be null',
    values: ['a', 'b', null]
  },
  'JSON of which a value is no text': {
    column: 'text',
    held: ['"a"', '{"b":1}'],
    field: string,
    step: 'change Thing.it from json, may be null to text, may be null'
  },
  'text that becomes JSON': {
    column: 'text',
    held: ['a', '5'],
    field: json,
    step: 'change Thing.it from text, may be null to json, may be null',
    values: ['a', '5']
  },
  'an empty column': { column: 'text', held: [null], field: json, values: [null] },
  'integers that become text': {
    column: 'integer',
    held: [5, -7],
    field: string,
    step: 'change Thing.it from integer, may be null to text, may be null',
    values: ['5', '-7'],
    doubt: 'integer, bigint, boolean, date'
  },
  'integers that are to be decimals, and may be so already': {
    column: 'integer',
    held: [150],
    field: { type: 'decimal', scale: 2, nullable: true },
    values: ['1.50'],
    warning: /^the database does not tell whether Thing\.it holds bigint or integer/
  },
  'integers that are told by their check': {
    column: 'integer check ("it" between -9007199254740991 and 9007199254740991)',
    held: [5],
    field: string,
    step: 'change Thing.it from integer, may be null to text, may be null',
    values: ['5']
  },
  'numbers that become integers': {
    column: 'real',
    held: [5, 7],
    field: { type: 'integer', nullable: true },
    step: 'change Thing.it from float, may be null to integer, may be null',
    values: [5, 7]
  }
}

for (const [name, { column, held, field, step, values, doubt, warning }] of Object.entries(CASES)) {
  t.test(`U1: ${name}`, async (t) => {
    const { app, root, folder, files } = project(t)
    const database = new DatabaseSync(join(root, 'app.db'))
    database.exec(`create table thing (id text not null primary key, it ${column})`)
    const insert = database.prepare('insert into thing values (?, ?)')
    for (const [place, value] of held.entries()) insert.run(String(place), value)
    database.close()
    const Thing = defineEntity({ name: 'Thing', schema: { it: field } })
    const { migrations, fastify } = await app([Thing])
    const written = await migrations.diff('it')
    t.strictSame(written?.steps, [step ?? 'create Thing'])
    t.match(
      written?.warnings.map(({ message }) => message),
      warning === undefined ? [] : [warning]
    )
    t.equal(written?.warnings.length, warning === undefined ? 0 : 1)
    const source = readFileSync(join(folder, files().at(-1) ?? ''), 'utf8')
    if (doubt === undefined) t.notMatch(source, /the database does not say/)
    else t.ok(source.includes(`the database does not tell which of ${doubt} Thing.it held`))
    if (values === undefined) {
      t.match(await problemsOf(migrations.migrate()), [{ code: 'SVC_ORM_MIGRATION_DATA' }])
      return
    }
    await migrations.migrate()
    await fastify.close()
    const { orm } = await app([Thing], { opened: true, mode: 'production' })
    const rows = await orm.repository(Thing).find({}, { order: [['id', 'ASC']] })
    t.strictSame(
      rows.map(({ it }) => it),
      values
    )
  })
}
