/** A migration as the text of its file: a line for each step, and marks where data has to be decided by a person. Pure. */
import { conversion, isConverted, needsZone } from './convert-value.ts'
import { heldText, isPlain, withoutNarrowing } from './migrated-column.ts'
import type { MigratedColumn } from './migration.ts'
import { inverse, type SchemaStep } from './schema-step.ts'

/** What a person has to look for. */
export const DATA_MARK = 'DATA:'

const HEADER = `/**
 * Made by svc orm:diff; yours to change until it has run. Look at each line marked ${DATA_MARK} a value that is needed for
 * rows that stand, or rows that go. A migration imports packages only: the files of the application change later.
 */`

export function migrationSource(steps: readonly SchemaStep[]): string {
  const up = steps.map((step) => line(step))
  const down = inverse(steps).map((step) => line(step))
  return `${HEADER}
import { defineMigration } from 'svc-orm'

export default defineMigration({
  async up(m) {
${up.join('\n')}
    // ${DATA_MARK} steps of your own, such as m.eachRow(entity, columns, (row) => changes)
  },

  async down(m) {
${down.join('\n')}
  }
})
`
}

function line(step: SchemaStep): string {
  const call = (...given: unknown[]) => `    await m.${step.kind}(${given.map((each) => literal(each)).join(', ')})`
  switch (step.kind) {
    case 'createTable':
      return call(step.entity, { ...step.shape, columns: step.shape.columns.map(written) })
    case 'dropTable':
      return `    // ${DATA_MARK} every row of ${step.entity} goes\n${call(step.entity)}`
    case 'renameTable':
      return call(step.from, step.to)
    case 'addColumn':
      return marked(call(step.entity, written(step.column)), fillMark(step.entity, step.column))
    case 'dropColumn':
      return `    // ${DATA_MARK} every value of ${step.entity}.${step.column.name} goes\n${call(step.entity, step.column.name)}`
    case 'renameColumn':
      return call(step.entity, step.from, step.to)
    case 'changeColumn':
      return marked(
        call(step.entity, written(step.from), written(step.to)),
        changeMark(step.entity, step.from, step.to)
      )
    case 'addIndex':
    case 'dropIndex':
      return call(step.entity, step.index)
  }
}

/** A column that takes every text need not say so. */
function written(column: MigratedColumn): MigratedColumn {
  return isPlain(column) ? withoutNarrowing(column) : column
}

interface Mark {
  readonly why: string
  readonly keys: readonly string[]
}

/** The call with room for what has to be decided; as it stands, it refuses rows that would need it. */
function marked(call: string, mark: Mark | null): string {
  if (mark === null) return call
  const data = mark.keys.map((key) => `${key}: undefined`).join(', ')
  return `    // ${DATA_MARK} ${mark.why}\n${call.replace(/\)$/, `, { ${data} })`)}`
}

function fillMark(entity: string, column: MigratedColumn): Mark | null {
  if (column.nullable === true || column.default !== undefined) return null
  return { why: `what ${entity}.${column.name} holds in rows that stand, as it is required`, keys: ['fill'] }
}

function changeMark(entity: string, from: MigratedColumn, to: MigratedColumn): Mark | null {
  const fill = from.nullable === true ? fillMark(entity, to) : null
  if (!isConverted(from, to) || conversion(from, to) !== null) return fill
  const zoned = needsZone(from, to)
  const column = `${entity}.${to.name}`
  const why = zoned
    ? `the time zone of the days of ${column}, such as 'Europe/Vienna'`
    : `how a ${heldText(from)} of ${column} becomes a ${heldText(to)}, (value) => ...`
  const key = zoned ? 'zone' : 'convert'
  return {
    why: fill === null ? why : `${why}; and ${fill.why}`,
    keys: fill === null ? [key] : [key, 'fill']
  }
}

const WIDTH = 112

/** As a person would write it: single quotes, on one line where it fits. */
function literal(value: unknown, indent = 4): string {
  const short = inline(value)
  if (short.length + indent <= WIDTH || typeof value !== 'object' || value === null) return short
  const inner = ' '.repeat(indent + 2)
  const outer = ' '.repeat(indent)
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => inner + literal(item, indent + 2)).join(',\n')}\n${outer}]`
  }
  const entries = Object.entries(value as object).map(([key, item]) => `${inner}${key}: ${literal(item, indent + 2)}`)
  return `{\n${entries.join(',\n')}\n${outer}}`
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => `${key}: ${inline(item)}`)
    return `{ ${entries.join(', ')} }`
  }
  if (typeof value !== 'string') return JSON.stringify(value)
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${escaped}'`
}
