/** What is asked of groups, and what is written, as text with `?` for each value: parts of the plan of a call. Pure. */
import { type Grouping, isRecord, type Measure } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'

/** `by state, month(placedAt, Europe/Berlin) measuring sum(total)`. */
export function groupingText({ by, parts = {}, measures }: Grouping): string {
  const keys = by.map((name) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined
    return part === undefined ? name : `${part.unit}(${part.column}, ${part.zone})`
  })
  const measured = Object.values(measures).map(measureText)
  return [...listed('by', keys), ...listed('measuring', measured)].join(' ')
}

/** `set price $mul ?, state = ?`, of the fields that there are. */
export function changesText({ fields }: CompiledEntity, changes: unknown): string {
  if (!isRecord(changes)) return ''
  const parts = Object.entries(changes).flatMap(([name, given]) => {
    if (name === '$max' || name === '$min') {
      return isRecord(given)
        ? Object.keys(given)
            .filter((each) => fields.has(each))
            .map((each) => `${each} ${name} ?`)
        : []
    }
    if (!fields.has(name) || given === undefined) return []
    const operator = isRecord(given) ? (Object.keys(given)[0] ?? '') : ''
    return [OPERATORS.includes(operator) ? `${name} ${operator} ?` : `${name} = ?`]
  })
  return listed('set', parts).join('')
}

const OPERATORS = ['$add', '$sub', '$mul', '$min', '$max']

function measureText(measure: Measure): string {
  const of = measure.of === 'count' ? 'count' : `${measure.of}(${measure.column})`
  return measure.where === undefined ? of : `${of} of some`
}

function listed(word: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : [`${word} ${items.join(', ')}`]
}
