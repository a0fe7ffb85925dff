/**
 * Random pairs of versions of an entity, with random rows: for tests of migrations. The migration is the one that
 * `orm:diff` writes, with its marks filled in; what it has to make of the rows, a model says that knows none of its code.
 */
import fc from 'fast-check'
import { compileEntities } from '../entities/compile-entities.ts'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type {
  EntityDefinition,
  FieldDefinition,
  IndexCriterion,
  IndexDefinition
} from '../entities/entity-definition.ts'
import { readBytes } from '../fields/bytes.ts'
import type { FieldType } from '../fields/field-types.ts'
import { diffSchema } from '../migrations/diff-schema.ts'
import { renameHints, schemaShape } from '../migrations/entity-shape.ts'
import type { MigratedColumn, Migration } from '../migrations/migration.ts'
import { migrationSource } from '../migrations/migration-source.ts'
import { filledMigration } from './filled-migration.ts'
import type { ModelMigration, ModelRow } from './migration-model.ts'
import { keyOfRow, withKeys } from './version-keys.ts'
import { type Link, type Links, link, linked, ownersOf, type Whom, whomOf } from './version-links.ts'
import { searchOf } from './version-search.ts'

export interface EntityVersions {
  readonly before: readonly CompiledEntity[]
  readonly after: readonly CompiledEntity[]
  /** As `orm:diff` writes it, with its marks filled in. */
  readonly migration: Migration
  readonly model: ModelMigration
  /** Values of rows of the first version, without their reference. */
  readonly rows: readonly ModelRow[]
  /** The reference of each version to the other entity. */
  readonly links: { readonly before: Link | null; readonly after: Link | null }
  readonly owners: readonly Whom[]
}

const TYPES = [
  ...(['string', 'text', 'integer', 'float', 'bigint', 'decimal', 'boolean'] as const),
  ...(['date', 'day', 'uuid', 'enum', 'json', 'bytes'] as const)
] as const
const NAMES = ['a', 'bCd', 'order', 'e_f', 'G'] as const

const DAY = '2026-01-02T03:04:05.678Z'
const UUID = 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6'
const CHOICES = ['5', 'true', 'x y']
const SHORT = 4

const VALUES: Readonly<Record<(typeof TYPES)[number], readonly unknown[]>> = {
  string: ['5', '-7', 'true', 'false', DAY, '1.5', '', "it's", '"', '\u{1f600}', UUID, '2026-02-29', 'x y'],
  text: ['5', '0', 'true', DAY, '1e3', 'a\nb', '2024-02-29', UUID.toLowerCase()],
  integer: [0, 1, -5, 9_007_199_254_740_991],
  float: [0, 1, 0.1, -2.5, 1e21],
  bigint: ['0', '-5', '9007199254740993', '9223372036854775807'],
  decimal: ['0.00', '-0.50', '7.00', '12.25'],
  boolean: [true, false],
  date: [new Date(0), new Date(DAY)],
  day: ['2026-01-02', '0001-01-01', '9999-12-31'],
  uuid: ['00000000-0000-4000-8000-000000000000', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
  enum: CHOICES,
  json: ['x', 5, 1.5, true, { a: [1, null] }, [1], DAY, UUID, '2026-01-02'],
  bytes: ['', 'AA==', 'AQID/w=='].map(readBytes)
}

const DEFAULTS: Partial<Record<FieldType, string | number | boolean>> = {
  // Longer than a line of a migration.
  string: `d'${'long '.repeat(30)}`,
  text: 'd',
  integer: 3,
  float: 0.5,
  bigint: '8',
  decimal: '1.50',
  boolean: true,
  date: DAY,
  day: '2024-02-29',
  uuid: UUID,
  enum: '5'
}

const field: fc.Arbitrary<FieldDefinition> = fc
  .record({
    type: fc.constantFrom(...TYPES),
    nullable: fc.boolean(),
    list: fc.boolean(),
    preset: fc.boolean(),
    narrow: fc.boolean(),
    scale: fc.constantFrom(2, 4)
  })
  .map(({ type, nullable, list, preset, narrow, scale }) => {
    const array = list && !['json', 'bytes', 'bigint', 'decimal'].includes(type)
    const isLong = narrow && type === 'string'
    const value = preset && !array && !isLong ? DEFAULTS[type] : undefined
    return {
      type,
      ...(type === 'decimal' && { scale }),
      ...(type === 'enum' && { values: narrow ? CHOICES.slice(0, 2) : CHOICES }),
      ...(narrow && (type === 'string' || type === 'text' || type === 'bytes') && { maxLength: SHORT }),
      ...(array && { array }),
      ...(nullable && { nullable }),
      ...(value !== undefined && { default: value })
    }
  })

const schema = fc.dictionary(fc.constantFrom(...NAMES), field, { minKeys: 1, noNullPrototype: true })

/** @param name of the entity in the first version @param searches the driver has search */
export function entityVersions(name = 'Thing', searches = true): fc.Arbitrary<EntityVersions> {
  const changes = fc.record({
    schema,
    kept: fc.subarray([...NAMES]),
    renamed: fc.boolean(),
    moved: fc.boolean(),
    indexed: fc.boolean(),
    bounded: fc.boolean(),
    searched: fc.constantFrom('before', 'after', 'never'),
    picks: fc.array(fc.nat(1000), { minLength: 12, maxLength: 40 }),
    links: fc.record({ before: link, after: link, ownerMoved: fc.boolean() }),
    keyed: fc.boolean()
  })
  return fc.tuple(schema, changes).map(([first, changed]) => {
    const { schema: second, kept, renamed, moved, indexed, bounded, searched, picks, links, keyed } = changed
    const stays = Object.fromEntries(Object.entries(first).filter(([each]) => kept.includes(each as 'a')))
    const merged: Record<string, FieldDefinition> = { ...second, ...stays }
    const [old] = Object.keys(first).filter((each) => !(each in merged))
    if (renamed && old !== undefined)
      merged.renamed = { ...(second[Object.keys(second)[0] ?? ''] ?? first[old]), was: old } as FieldDefinition
    const pair: readonly [EntityDefinition, EntityDefinition] = [
      {
        name,
        schema: first,
        ...(indexed && { indexes: indexesOf(first, !bounded) }),
        ...(searched === 'before' && searches && searchOf(first, !bounded))
      },
      {
        name: moved ? `${name}Moved` : name,
        ...(moved && { was: name }),
        schema: merged,
        indexes: indexesOf(merged, bounded),
        ...(searched !== 'never' && searches && searchOf(merged, bounded))
      }
    ]
    const isScoped = links.before?.scoped === true || links.after?.scoped === true
    return versions(keyed && !isScoped ? withKeys(pair) : pair, picks, links)
  })
}

/** One of all rows, and one of some, which names other columns where it is `bounded`, and then one that folds a text. */
function indexesOf(fields: Readonly<Record<string, FieldDefinition>>, bounded: boolean): readonly IndexDefinition[] {
  const plain = Object.keys(fields).filter(
    (each) => fields[each]?.array !== true && !['json', 'bytes'].includes(String(fields[each]?.type))
  )
  const list = Object.keys(fields).find((each) => fields[each]?.array === true)
  const ofList = list === undefined || bounded ? [] : [{ fields: [list], method: 'gin' } as const]
  const [first] = bounded ? plain : plain.toReversed()
  if (first === undefined) return ofList
  const type = fields[first]?.type as (typeof TYPES)[number]
  const value = bounded ? BOUNDS[type] : undefined
  const text = plain.find((each) => ['string', 'text'].includes(String(fields[each]?.type)))
  return [
    { fields: plain.slice(0, 2) },
    { fields: plain.slice(0, 2), where: { [first]: value ?? { $null: bounded } } },
    ...ofList,
    ...(text === undefined || !bounded ? [] : [{ fields: [{ field: text, fold: true }] }])
  ]
}

/** A value of each type, as the condition of an index. */
const BOUNDS: Partial<Record<FieldType, IndexCriterion>> = {
  string: "it's",
  text: { $gte: 'a' },
  integer: { $gt: -1, $lte: 9_007_199_254_740_991 },
  float: { $lt: 1e21 },
  bigint: { $gt: '9007199254740993' },
  decimal: '-0.50',
  boolean: true,
  date: { $gte: DAY },
  day: { $lt: '2026-01-02' },
  uuid: UUID
}

function versions(
  [first, second]: readonly [EntityDefinition, EntityDefinition],
  picks: readonly number[],
  { ownerMoved, ...links }: Links
): EntityVersions {
  const before = compiled(linked(first, links.before, ownersOf(first.name, false)))
  const after = compiled(linked(second, links.after, ownersOf(first.name, ownerMoved)))
  const up = diffSchema(schemaShape(before), schemaShape(after), renameHints(after))
  const renamed = Object.entries(second.schema).flatMap(([each, { was }]) => (was === undefined ? [] : [[each, was]]))
  const model = {
    before: first.schema,
    after: second.schema,
    renamed: Object.fromEntries(renamed),
    fill: fillOf
  }
  const rows = Array.from({ length: 3 }, (_, row) =>
    Object.fromEntries(
      Object.entries(first.schema).map(([each, definition], place) => {
        const pick = picks[(row * 5 + place) % picks.length] ?? 0
        return [each, first.key?.includes(each) === true ? keyOfRow(row, definition) : pickedValue(definition, pick)]
      })
    )
  )
  const whom = whomOf(links.before)
  const owners = rows.map((_, row) => whom[(picks[row] ?? 0) % whom.length] ?? 'nobody')
  return { before, after, migration: filledMigration(migrationSource(up), fillOfColumn), model, rows, links, owners }
}

function compiled(definitions: readonly EntityDefinition[]): readonly CompiledEntity[] {
  const { entities, problems } = compileEntities(
    definitions.map((definition) => ({ definition, place: null })),
    'default'
  )
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join())
  return entities
}

function pickedValue(
  { type, array, nullable, scale = 0, values, maxLength = 99 }: FieldDefinition,
  pick: number
): unknown {
  if (nullable === true && pick % 3 === 0) return null
  const fits = (value: unknown) => type === 'json' || !hasLength(value) || sizeOf(value) <= maxLength
  const all = (values ?? VALUES[type as (typeof TYPES)[number]]).filter(fits)
  const picked = all[pick % all.length]
  const value = asRow(type, type === 'decimal' && scale === 4 ? `${picked}00` : picked)
  return array === true ? [[], [value], [value, asRow(type, all[0])]][pick % 3] : value
}

function hasLength(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array
}

function sizeOf(value: string | Uint8Array): number {
  return typeof value === 'string' ? Array.from(value).length : value.length
}

/** A UUID has one spelling in rows. */
function asRow(type: FieldDefinition['type'], value: unknown): unknown {
  return type === 'uuid' ? String(value).toLowerCase() : value
}

const FILLS: Readonly<Record<(typeof TYPES)[number], unknown>> = {
  string: 'f',
  text: 'f',
  integer: 1,
  float: 1.5,
  bigint: '7',
  decimal: '7',
  boolean: true,
  date: new Date(86_400_000),
  day: '2020-02-29',
  uuid: UUID,
  enum: CHOICES[1],
  json: { f: 1 },
  bytes: readBytes('Zg==')
}

function fillOf({ type, array }: FieldDefinition): unknown {
  const value = FILLS[type as (typeof TYPES)[number]]
  return array === true ? [asRow(type, value)] : value
}

/** What a person gives, who sees the column. */
function fillOfColumn({ type, holds = type, list }: MigratedColumn): unknown {
  return fillOf({ type: holds in FILLS ? (holds as FieldType) : 'string', array: list === true })
}
