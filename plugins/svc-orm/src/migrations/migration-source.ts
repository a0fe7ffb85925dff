/** A migration as the text of its file: a line for each step, and marks where data has to be decided by a person. Pure. */
import type { ColumnPlan, ColumnType } from 'svc-stores/table'
import { conversion, isConverted, needsZone } from './convert-value.ts'
import type { EntityShape } from './entity-shape.ts'
import { heldText, isPlain, withoutNarrowing } from './migrated-column.ts'
import type { MigratedColumn, TableShape } from './migration.ts'
import { inverse, type SchemaStep } from './schema-step.ts'

/** Marks lines that need a decision. */
export const DATA_MARK = 'DATA:'

const HEADER = `/**
 * Written by npx svc orm:diff. You can edit it until it has run. Check each line marked ${DATA_MARK} it needs a value for
 * existing rows, or deletes data. Import packages only, because the files of the application change later.
 */`

/** Facts that the steps do not contain. */
export interface MigrationFacts {
  /** The repository writes this column. */
  readonly isManaged: (entity: string, column: string) => boolean
  /** Deleted rows of entities that lose `softDelete`; `null` if they could not be counted. */
  readonly deletedRows: ReadonlyMap<string, number | null>
  /** Types that a column may have had, by `Entity.column`: the database keeps them alike. */
  readonly doubts: ReadonlyMap<string, readonly ColumnType[]>
}

const NO_FACTS: MigrationFacts = { isManaged: () => false, deletedRows: new Map(), doubts: new Map() }

export function migrationSource(steps: readonly SchemaStep[], facts = NO_FACTS): string {
  const up = steps.map((step) => line(step, facts))
  // What the way back deletes is counted before it runs, and it is no release that is rolled out.
  const down = inverse(steps).map((step) => line(step, { ...NO_FACTS, isManaged: facts.isManaged }, 'down'))
  return `${HEADER}
import { defineMigration } from 'svc-orm'

export default defineMigration({
  async up(m) {
${up.join('\n')}
    // ${DATA_MARK} add your own steps here, such as m.eachRow(entity, columns, (row) => changes)
  },

  async down(m) {
${down.join('\n')}
  }
})
`
}

/** Of rows that are deleted and kept. */
export function deletedColumn({ name, type, nullable = false }: ColumnPlan): boolean {
  return name === 'deletedAt' && type === 'date' && nullable
}

function line(step: SchemaStep, facts: MigrationFacts, way: 'up' | 'down' = 'up'): string {
  const call = (...given: unknown[]) => `    await m.${step.kind}(${given.map((each) => literal(each)).join(', ')})`
  switch (step.kind) {
    case 'createTable':
      return call(step.entity, shapeOf(step.shape))
    case 'dropTable':
      return `    // ${DATA_MARK} deletes every row of ${step.entity}\n${call(step.entity)}`
    case 'renameTable':
      return call(step.from, step.to)
    case 'addColumn':
      return marked(call(step.entity, written(step.column)), addedMark(step.entity, step.column, facts))
    case 'dropColumn':
      return marked(call(step.entity, step.column.name), dropMark(step.entity, step.column, facts, way))
    case 'renameColumn':
      return call(step.entity, step.from, step.to)
    case 'changeColumn':
      return marked(
        call(step.entity, written(step.from), written(step.to)),
        changeMark(step.entity, step.from, step.to, facts)
      )
    case 'addReference':
    case 'dropReference':
      return call(step.entity, step.reference)
    case 'addIndex':
    case 'dropIndex':
      return call(step.entity, step.index)
  }
}

/** References come once all tables are there. */
function shapeOf({ references: _, columns, ...shape }: EntityShape): TableShape {
  return { ...shape, columns: columns.map(written) }
}

/** A column that takes every text need not say so. */
function written(column: MigratedColumn): MigratedColumn {
  return isPlain(column) ? withoutNarrowing(column) : column
}

interface Mark {
  readonly why: string
  /** What is to be decided, and the value that is proposed for it. */
  readonly data: Readonly<Record<string, 'undefined' | 'new Date()'>>
}

/** The call with room for what has to be decided; unchanged, it refuses rows that would need it. */
function marked(call: string, mark: Mark | null): string {
  if (mark === null) return call
  const data = Object.entries(mark.data).map(([key, value]) => `${key}: ${value}`)
  const given = data.length === 0 ? '' : `, { ${data.join(', ')} }`
  return `    // ${DATA_MARK} ${mark.why}\n${call.slice(0, -1)}${given})`
}

/** Moments that the repository keeps are known to be later than nothing: that of the migration is proposed. */
function addedMark(entity: string, column: ColumnPlan, { isManaged }: MigrationFacts): Mark | null {
  const mark = fillMark(entity, column)
  if (mark === null || column.type !== 'date' || !isManaged(entity, column.name)) return mark
  const why = `existing rows get the time of this migration as ${entity}.${column.name}; replace it if you know a better value`
  return { why, data: { fill: 'new Date()' } }
}

function dropMark(entity: string, column: ColumnPlan, { deletedRows }: MigrationFacts, way: 'up' | 'down'): Mark {
  const at = `${entity}.${column.name}`
  const count = deletedRows.get(entity)
  if (!deletedColumn(column) || count === undefined) {
    const older = way === 'up' ? '; writes of older instances then fail, so stop them first' : ''
    return { why: `deletes every value of ${at}${older}`, data: {} }
  }
  const rows = count === null ? 'deleted rows' : `${count} deleted rows`
  return {
    why: `${rows} would come back without ${at}: set deleted to 'remove' or 'restore'`,
    data: { deleted: 'undefined' }
  }
}

function fillMark(entity: string, column: MigratedColumn): Mark | null {
  if (column.nullable === true || column.default !== undefined) return null
  return {
    why: `give existing rows a value of ${entity}.${column.name}, which is required`,
    data: { fill: 'undefined' }
  }
}

function changeMark(entity: string, from: MigratedColumn, to: MigratedColumn, { doubts }: MigrationFacts): Mark | null {
  const fill = from.nullable === true ? fillMark(entity, to) : null
  const column = `${entity}.${to.name}`
  if (isConverted(from, to) && conversion(from, to) === null) {
    const zoned = needsZone(from, to)
    const why = zoned
      ? `set the time zone of the days of ${column}, such as 'Europe/Vienna'`
      : `convert a ${heldText(from)} of ${column} into a ${heldText(to)}, (value) => ...`
    const asked = { [zoned ? 'zone' : 'convert']: 'undefined' } as const
    return { why: fill === null ? why : `${why}; and ${fill.why}`, data: { ...asked, ...fill?.data } }
  }
  const types = doubts.get(column) ?? []
  if (types.length < 2) return fill
  const doubt = `the database does not tell which of ${types.join(', ')} ${column} held: correct the first type`
  return { why: fill === null ? doubt : `${doubt}; and ${fill.why}`, data: fill?.data ?? {} }
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
  const entries = Object.entries(value).map(([key, item]) => `${inner}${key}: ${literal(item, indent + 2)}`)
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
