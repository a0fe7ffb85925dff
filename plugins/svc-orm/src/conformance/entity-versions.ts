/**
 * Random pairs of versions of an entity, with random rows: for tests of migrations. What a migration has to make of the
 * rows is said by a model, which interprets the steps on rows in memory.
 */
import fc from 'fast-check'
import type { ColumnPlan } from 'svc-stores/table'
import { readBytes } from '../entities/bytes.ts'
import { compileEntities } from '../entities/compile-entities.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { EntityDefinition, FieldDefinition, FieldType } from '../entities/entity-definition.ts'
import { shownValue, unitsOf } from '../entities/exact-number.ts'
import { conversion, filledValue, isConverted } from '../migrations/convert-value.ts'
import { diffSchema } from '../migrations/diff-schema.ts'
import { renameHints, schemaShape } from '../migrations/entity-shape.ts'
import type { Migration } from '../migrations/migration.ts'
import { migrationSource } from '../migrations/migration-source.ts'
import { inverse, type SchemaStep } from '../migrations/schema-step.ts'

export type ModelRow = Readonly<Record<string, unknown>>

export interface EntityVersions {
  readonly before: readonly CompiledEntity[]
  readonly after: readonly CompiledEntity[]
  /** As `orm:diff` writes it, with its marks filled in. */
  readonly migration: Migration
  readonly up: readonly SchemaStep[]
  readonly down: readonly SchemaStep[]
  /** Values of rows of the first version. */
  readonly rows: readonly ModelRow[]
}

const TYPES = [
  'string',
  'text',
  'integer',
  'float',
  'bigint',
  'decimal',
  'boolean',
  'date',
  'day',
  'uuid',
  'enum',
  'json',
  'bytes'
] as const
const NAMES = ['a', 'bCd', 'order', 'e_f', 'G'] as const

const DAY = '2026-01-02T03:04:05.678Z'
const CHOICES = ['5', 'true', 'x y']

const VALUES: Readonly<Record<(typeof TYPES)[number], readonly unknown[]>> = {
  string: ['5', '-7', 'true', 'false', DAY, '1.5', '', "it's", '"', '\u{1f600}'],
  text: ['5', '0', 'true', DAY, '1e3', 'a\nb'],
  integer: [0, 1, -5, 9_007_199_254_740_991],
  float: [0, 1, 0.1, -2.5, 1e21],
  bigint: ['0', '-5', '9007199254740993', '9223372036854775807'],
  decimal: ['0', '-0.5', '7', '12.25'],
  boolean: [true, false],
  date: [new Date(0), new Date(DAY)],
  day: ['2026-01-02', '0001-01-01', '9999-12-31'],
  uuid: ['00000000-0000-4000-8000-000000000000', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
  enum: CHOICES,
  json: ['x', 5, 1.5, true, { a: [1, null] }, [1], DAY],
  bytes: ['', 'AA==', 'AQID/w=='].map(readBytes)
}

const DEFAULTS: Partial<Record<FieldType, string | number | boolean>> = {
  string: "d'",
  text: 'd',
  integer: 3,
  float: 0.5,
  bigint: '8',
  decimal: '1.50',
  boolean: true,
  date: DAY,
  day: '2024-02-29',
  enum: 'x y'
}

const field: fc.Arbitrary<FieldDefinition> = fc
  .record({
    type: fc.constantFrom(...TYPES),
    nullable: fc.boolean(),
    list: fc.boolean(),
    preset: fc.boolean(),
    scale: fc.constantFrom(2, 4)
  })
  .map(({ type, nullable, list, preset, scale }) => {
    const array = list && !['json', 'bytes', 'bigint', 'decimal'].includes(type)
    const value = preset && !array ? DEFAULTS[type] : undefined
    return {
      type,
      ...(type === 'decimal' && { scale }),
      ...(type === 'enum' && { values: CHOICES }),
      ...(array && { array }),
      ...(nullable && { nullable }),
      ...(value !== undefined && { default: value })
    }
  })

const schema = fc.dictionary(fc.constantFrom(...NAMES), field, { minKeys: 1, noNullPrototype: true })

/** @param name of the entity in the first version */
export function entityVersions(name = 'Thing'): fc.Arbitrary<EntityVersions> {
  const changes = fc.record({
    schema,
    kept: fc.subarray([...NAMES]),
    renamed: fc.boolean(),
    moved: fc.boolean(),
    indexed: fc.boolean(),
    picks: fc.array(fc.nat(1000), { minLength: 12, maxLength: 40 })
  })
  return fc.tuple(schema, changes).map(([first, { schema: second, kept, renamed, moved, indexed, picks }]) => {
    const stays = Object.fromEntries(Object.entries(first).filter(([each]) => kept.includes(each as 'a')))
    const merged: Record<string, FieldDefinition> = { ...second, ...stays }
    const [old] = Object.keys(first).filter((each) => !(each in merged))
    if (renamed && old !== undefined)
      merged.renamed = { ...(second[Object.keys(second)[0] ?? ''] ?? first[old]), was: old } as FieldDefinition
    return versions(
      { name, schema: first, ...(indexed && { indexes: indexesOf(first) }) },
      { name: moved ? `${name}Moved` : name, ...(moved && { was: name }), schema: merged, indexes: indexesOf(merged) },
      picks
    )
  })
}

function indexesOf(fields: Readonly<Record<string, FieldDefinition>>) {
  const plain = Object.keys(fields).filter(
    (each) => fields[each]?.array !== true && !['json', 'bytes'].includes(fields[each]?.type ?? '')
  )
  return plain.length === 0 ? [] : [{ fields: plain.slice(0, 2) }]
}

function versions(first: EntityDefinition, second: EntityDefinition, picks: readonly number[]): EntityVersions {
  const [before, after] = [compiled(first), compiled(second)]
  const up = diffSchema(schemaShape(before), schemaShape(after), renameHints(after))
  const rows = Array.from({ length: 3 }, (_, row) =>
    Object.fromEntries(
      Object.entries(first.schema).map(([each, definition], place) => {
        const pick = picks[(row * 5 + place) % picks.length] ?? 0
        return [each, pickedValue(definition, pick)]
      })
    )
  )
  return { before, after, migration: loaded(migrationSource(up)), up, down: inverse(up), rows }
}

function compiled(definition: EntityDefinition): readonly CompiledEntity[] {
  const { entities, problems } = compileEntities([{ definition, place: null }], 'default')
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join())
  return entities
}

function pickedValue({ type, array, nullable, scale = 0 }: FieldDefinition, pick: number): unknown {
  if (nullable === true && pick % 3 === 0) return null
  const values = VALUES[type as (typeof TYPES)[number]]
  const picked = values[pick % values.length]
  const value = type === 'decimal' ? shownValue({ scale }, unitsOf(picked, scale)) : picked
  return array === true ? [[], [value], [value, values[0]]][pick % 3] : value
}

const FILLS: Partial<Record<ColumnPlan['type'], unknown>> = {
  text: 'f',
  integer: 1,
  float: 1.5,
  bigint: '7',
  boolean: true,
  date: new Date(86_400_000),
  json: { f: 1 },
  bytes: readBytes('Zg==')
}

function fillOf({ type, list }: ColumnPlan): unknown {
  return list === true ? [FILLS[type]] : FILLS[type]
}

/** The text as a program, with a value for each mark. */
function loaded(source: string): Migration {
  const text = source
    .replace(/^import .*$/m, '')
    .replace('export default', 'return')
    .replaceAll(
      /^( *await m\.\w+\((.*)), \{ ((?:\w+: undefined(?:, )?)+) \}\)$/gm,
      (_line, call: string, given: string, keys: string) => {
        const last = given.lastIndexOf('{ name:')
        const data = keys
          .split(', ')
          .map((key) => key.replace('undefined', key.startsWith('fill') ? 'fillOf(to)' : '() => fillOf(to)'))
        return `{ const to = (${given.slice(last)}); ${call}, { ${data.join(', ')} }) }`
      }
    )
  return new Function('defineMigration', 'fillOf', text)((given: Migration) => given, fillOf) as Migration
}

/** @returns the rows as they are to be after the steps; `null` where one of their values stops the migration */
export function migratedRows(rows: readonly ModelRow[], steps: readonly SchemaStep[]): readonly ModelRow[] | null {
  let current: ModelRow[] = rows.map((row) => ({ ...row }))
  for (const step of steps) {
    if (step.kind === 'addColumn') {
      const { column } = step
      const value = column.nullable === true && column.default === undefined ? null : presetOf(column)
      current = current.map((row) => ({ ...row, [column.name]: value }))
    } else if (step.kind === 'dropColumn') current = current.map(({ [step.column.name]: _gone, ...row }) => row)
    else if (step.kind === 'renameColumn') {
      current = current.map(({ [step.from]: value, ...row }) => ({ ...row, [step.to]: value }))
    } else if (step.kind === 'changeColumn') {
      const values = current.map((row) => changed(step.from, step.to, row[step.to.name]))
      if (values.includes(undefined)) return null
      current = current.map((row, place) => ({ ...row, [step.to.name]: values[place] }))
    }
  }
  return current
}

function changed(from: ColumnPlan, to: ColumnPlan, value: unknown): unknown {
  if (value === null) return to.nullable === true ? null : presetOf(to)
  if (!isConverted(from, to)) return value
  const convert = conversion(from, to)
  return shownValue(to, convert === null ? filledValue(to, fillOf(to)) : convert(inUnits(from, value)))
}

/** A value of a row as its column holds it. */
function inUnits({ type, scale = 0 }: ColumnPlan, value: unknown): unknown {
  return type === 'bigint' ? unitsOf(value, scale) : value
}

function presetOf(column: ColumnPlan): unknown {
  return shownValue(column, filledValue(column, column.default === undefined ? fillOf(column) : undefined))
}
