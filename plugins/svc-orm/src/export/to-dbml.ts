/**
 * The model as DBML (dbml.dbdiagram.io/docs), one schema per connector. Pure.
 * Names are quoted always; notes escape what could end them.
 */
import {
  type CompiledEntity,
  type CompiledField,
  type CompiledIndex,
  type CompiledRelation,
  idField,
  isShown
} from '../entities/compiled-entity.ts'
import type { OnDelete } from '../entities/entity-definition.ts'
import { shownIndexRows } from '../entities/index-criteria.ts'

export interface ExportedConnector {
  readonly name: string
  readonly entities: readonly CompiledEntity[]
  /** Absent: the tables of the entities. */
  readonly storedAs?: (entity: CompiledEntity) => string
}

export function toDbml(connectors: readonly ExportedConnector[]): string {
  const blocks = connectors.flatMap((connector) => [
    ...connector.entities.flatMap((entity) => enumBlocks(entity, connector)),
    ...connector.entities.map((entity) => tableBlock(entity, connector)),
    ...connector.entities.flatMap((entity) => references(entity, connector))
  ])
  return `${blocks.join('\n\n')}\n`
}

function tableBlock(entity: CompiledEntity, connector: ExportedConnector): string {
  const { key } = entity.id
  const columns = [...(key === undefined ? [idField] : []), ...entity.fields.values()].map((field) =>
    columnLine(field, entity, connector)
  )
  const isOfColumn = ({ fields, folded, where }: CompiledIndex) =>
    fields.length === 1 && folded === undefined && where === undefined && isUniqueField(entity, fields[0])
  const search = entity.search?.map(({ field }) => quoteName(field)).join(', ')
  const indexes = [
    ...entity.indexes.filter((index) => !isOfColumn(index)).map((index) => indexLine(entity, index)),
    ...(search === undefined ? [] : [`(${search}) [note: 'search']`])
  ]
  const lines = [
    `Table ${tableName(connector, entity)} {`,
    ...columns.map((line) => `  ${line}`),
    ...(indexes.length === 0 ? [] : ['', '  indexes {', ...indexes.map((index) => `    ${index}`), '  }']),
    '',
    `  Note: ${quoteText(noteOf(entity))}`,
    '}'
  ]
  return lines.join('\n')
}

/** One for each field of the type `enum`, named after it. */
function enumBlocks(entity: CompiledEntity, connector: ExportedConnector): string[] {
  return [...entity.fields.values()].flatMap(({ name, values }) =>
    values === undefined
      ? []
      : [
          [`Enum ${enumName(connector, entity, name)} {`, ...values.map((value) => `  ${quoteName(value)}`), '}'].join(
            '\n'
          )
        ]
  )
}

function columnLine(field: CompiledField, entity: CompiledEntity, connector: ExportedConnector): string {
  const { name, array, nullable, unique } = field
  const settings = [
    name === 'id' && 'pk',
    name !== 'id' && unique && entity.scope === undefined && 'unique',
    name !== 'id' && !nullable && 'not null',
    field.default !== undefined && isShown(field) && `default: ${defaultText(field.default)}`,
    !isShown(field) && `note: ${quoteText('hidden')}`,
    field.sealed !== undefined && `note: ${quoteText('encrypted')}`,
    field.rule !== undefined && isShown(field) && `note: ${quoteText(JSON.stringify(field.rule.schema))}`
  ].filter((setting) => setting !== false)
  const type = field.values === undefined ? field.fieldType.dbml(field) : enumName(connector, entity, name)
  const shown = `${quoteName(name)} ${type}${array ? '[]' : ''}`
  return settings.length === 0 ? shown : `${shown} [${settings.join(', ')}]`
}

function indexLine(entity: CompiledEntity, { fields, unique, folded = [], where, method }: CompiledIndex): string {
  const names = `(${fields.map(quoteName).join(', ')})`
  const notes = [
    folded.length > 0 && `${folded.join(', ')} in any case`,
    where !== undefined && `where ${shownIndexRows(entity, where)}`,
    method
  ].filter((note) => note !== false && note !== undefined)
  const settings = [
    ...(isKey(entity, fields) ? ['pk'] : unique ? ['unique'] : []),
    ...(notes.length === 0 ? [] : [`note: ${quoteText(notes.join('; '))}`])
  ]
  return settings.length === 0 ? names : `${names} [${settings.join(', ')}]`
}

/** Of several columns, which are none by themselves. */
function isKey({ id }: CompiledEntity, fields: readonly string[]): boolean {
  return (
    id.key !== undefined &&
    fields.length === id.key.names.length &&
    fields.every((name) => id.key?.names.includes(name))
  )
}

function isUniqueField(entity: CompiledEntity, name: string | undefined): boolean {
  return name !== undefined && entity.fields.get(name)?.unique === true
}

/** One line per reference: the other side of a `one-to-many` is the same reference. */
function references(entity: CompiledEntity, connector: ExportedConnector): string[] {
  return [...entity.relations.values()]
    .filter(({ mappedBy }) => mappedBy === null)
    .flatMap((relation) => {
      const target = connector.entities.find(({ name }) => name === relation.target)
      return target === undefined ? [] : [referenceLine(entity, target, relation, connector)]
    })
}

/** `restrict` is what databases do by themselves. */
const RULES: Readonly<Record<OnDelete, string>> = {
  restrict: '',
  cascade: ' [delete: cascade]',
  setNull: ' [delete: set null]',
  none: ''
}

function referenceLine(
  entity: CompiledEntity,
  target: CompiledEntity,
  { field, type, reference }: CompiledRelation,
  connector: ExportedConnector
): string {
  const within = reference?.within
  const columns = (name: string) =>
    within === undefined ? quoteName(name) : `(${quoteName(within)}, ${quoteName(name)})`
  const source = `${tableName(connector, entity)}.${columns(field)}`
  const rule = RULES[reference?.onDelete ?? 'none']
  return `Ref: ${source} ${type === 'one-to-one' ? '-' : '>'} ${tableName(connector, target)}.${columns('id')}${rule}`
}

function tableName({ name, storedAs }: ExportedConnector, entity: CompiledEntity): string {
  return `${quoteName(name)}.${quoteName(storedAs?.(entity) ?? entity.table)}`
}

function enumName({ name, storedAs }: ExportedConnector, entity: CompiledEntity, field: string): string {
  return `${quoteName(name)}.${quoteName(`${storedAs?.(entity) ?? entity.table}_${field}`)}`
}

function noteOf({ name, module, scope, softDelete, version }: CompiledEntity): string {
  const parts = [
    `entity ${name}`,
    module !== null && `module ${module}`,
    scope !== undefined && `of one ${scope.name} each`,
    softDelete && 'deleted rows are marked',
    version && 'a version per row'
  ]
  return parts.filter((part) => part !== false).join(', ')
}

function defaultText(value: unknown): string {
  return typeof value === 'string' ? quoteText(value) : String(value)
}

/** On one line: a value of an enum is any text. */
function quoteName(name: string): string {
  return `"${name.replaceAll('"', "'").replaceAll('\\', '/').replace(/\s+/g, ' ')}"`
}

/** On one line, so that no text can end the string or begin a comment. */
function quoteText(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replace(/\s+/g, ' ')
  return `'${escaped}'`
}
