/** One step between two schemas as data: each says what undoes it. Pure. */
import { indexRowsText } from '../entities/index-criteria.ts'
import { isChecked } from './convert-value.ts'
import type { EntityShape } from './entity-shape.ts'
import { heldText } from './migrated-column.ts'
import type { MigratedColumn, MigratedIndex, MigratedReference } from './migration.ts'

export type SchemaStep =
  | { readonly kind: 'createTable' | 'dropTable'; readonly entity: string; readonly shape: EntityShape }
  | { readonly kind: 'renameTable'; readonly from: string; readonly to: string }
  | { readonly kind: 'addColumn' | 'dropColumn'; readonly entity: string; readonly column: MigratedColumn }
  | { readonly kind: 'renameColumn'; readonly entity: string; readonly from: string; readonly to: string }
  | {
      readonly kind: 'changeColumn'
      readonly entity: string
      readonly from: MigratedColumn
      readonly to: MigratedColumn
    }
  | {
      readonly kind: 'addReference' | 'dropReference'
      readonly entity: string
      readonly reference: MigratedReference
    }
  | { readonly kind: 'addIndex' | 'dropIndex'; readonly entity: string; readonly index: MigratedIndex }

/** The steps back, in their order. */
export function inverse(steps: readonly SchemaStep[]): SchemaStep[] {
  return steps.map(undo).reverse()
}

function undo(step: SchemaStep): SchemaStep {
  switch (step.kind) {
    case 'createTable':
      return { ...step, kind: 'dropTable' }
    case 'dropTable':
      return { ...step, kind: 'createTable' }
    case 'addColumn':
      return { ...step, kind: 'dropColumn' }
    case 'dropColumn':
      return { ...step, kind: 'addColumn' }
    case 'addReference':
      return { ...step, kind: 'dropReference' }
    case 'dropReference':
      return { ...step, kind: 'addReference' }
    case 'addIndex':
      return { ...step, kind: 'dropIndex' }
    case 'dropIndex':
      return { ...step, kind: 'addIndex' }
    default:
      return { ...step, from: step.to, to: step.from } as SchemaStep
  }
}

/** In one line, for people. */
export function describeStep(step: SchemaStep): string {
  switch (step.kind) {
    case 'createTable':
      return `create ${step.entity}`
    case 'dropTable':
      return `drop ${step.entity}`
    case 'renameTable':
      return `rename ${step.from} to ${step.to}`
    case 'addColumn':
      return `add ${step.entity}.${step.column.name} (${columnText(step.column)})`
    case 'dropColumn':
      return `drop ${step.entity}.${step.column.name}`
    case 'renameColumn':
      return `rename ${step.entity}.${step.from} to ${step.to}`
    case 'changeColumn':
      return `change ${step.entity}.${step.to.name} from ${columnText(step.from)} to ${columnText(step.to)}${isChecked(step.from, step.to) ? '; each value is checked' : ''}`
    case 'addReference':
      return `keep ${referenceText(step.entity, step.reference)}; ${stoppedText(step.reference)} stop it`
    case 'dropReference':
      return `no longer keep ${referenceText(step.entity, step.reference)}`
    case 'addIndex':
      return `add ${indexText(step.index)} of ${step.entity}`
    case 'dropIndex':
      return `drop ${indexText(step.index)} of ${step.entity}`
  }
}

function columnText(column: MigratedColumn): string {
  const { nullable = false, default: preset } = column
  const parts = [heldText(column), nullable && 'may be null']
  return [...parts, preset !== undefined && `default ${JSON.stringify(preset)}`]
    .filter((part) => part !== false)
    .join(', ')
}

function stoppedText({ to, within }: MigratedReference): string {
  return within === undefined ? `rows without their ${to}` : `rows without a ${to} of their ${within}`
}

function referenceText(entity: string, { column, to, within, onDelete, deferrable }: MigratedReference): string {
  const same = within === undefined ? '' : ` of the same ${within}`
  return `the reference ${entity}.${column} to ${to}${same} (${onDelete}${deferrable ? ', deferrable' : ''})`
}

function indexText({ columns, unique = false, where }: MigratedIndex): string {
  const rows = where === undefined ? '' : ` where ${indexRowsText(where)}`
  return `${unique ? 'unique index' : 'index'} (${columns.map((column) => [column].flat().join(' ')).join(', ')})${rows}`
}
