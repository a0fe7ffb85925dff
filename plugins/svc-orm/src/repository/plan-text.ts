/** What a repository call asks of its table, as text with `?` for each value: for observers of repository calls. Pure. */
import type { Condition, RelatedRows, Selection } from 'svc-stores/table'

/** As long as the text of a statement. */
const LONGEST = 1000

const SIGNS: Readonly<Record<string, string>> = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' }

/** What is asked of the rows that meet criteria. */
export interface AskedOfRows extends Selection<never> {
  /** What is said of them, or written: see `asked-text.ts`. */
  readonly text?: string
  /** Of groups. */
  readonly having?: readonly Condition[]
}

/** `find Note within organization where author = ? order by createdAt desc limit 20`. @param scope `null` without one */
export function planText(
  operation: string,
  entity: string,
  where: readonly Condition[] = [],
  { order = [], limit, offset, lock, text = '', having = [] }: AskedOfRows = {},
  scope: string | null = null
): string {
  const parts = [`${operation} ${entity}${scope === null ? '' : ` ${scope}`}`]
  if (text !== '') parts.push(text)
  if (where.length > 0) parts.push(`where ${joined(where, 'and')}`)
  if (having.length > 0) parts.push(`having ${joined(having, 'and')}`)
  if (order.length > 0) {
    parts.push(`order by ${order.map(({ field, direction }) => `${field} ${direction.toLowerCase()}`).join(', ')}`)
  }
  if (limit !== undefined) parts.push(`limit ${limit}`)
  if (offset !== undefined) parts.push(`offset ${offset}`)
  if (lock !== undefined) parts.push('locked')
  const whole = parts.join(' ')
  return whole.length > LONGEST ? `${whole.slice(0, LONGEST - 1)}…` : whole
}

function joined(conditions: readonly Condition[], word: 'and' | 'or'): string {
  return conditions.map(conditionText).join(` ${word} `)
}

function relatedText({ table, column, of, first }: RelatedRows): string {
  const met = of.length === 0 ? '' : ` where ${joined(of, 'and')}`
  return `${first === undefined ? '' : `first ${first.limit} of `}${table.name}.${column}${met}`
}

function conditionText(condition: Condition): string {
  switch (condition.operator) {
    case 'any':
      return condition.of.length === 0 ? 'nothing' : `(${condition.of.map((set) => joined(set, 'and')).join(' or ')})`
    case 'not':
      return `not (${joined(condition.of, 'and')})`
    case 'related':
      return `${condition.field} in (${relatedText(condition)})`
    case 'measured': {
      const { measure, comparison } = condition
      const of = measure.of === 'count' ? 'count' : `${measure.of} of ${measure.column}`
      const against = 'other' in condition ? condition.other : '?'
      const compared = comparison === 'held' ? 'is not null' : `${SIGNS[comparison]} ${against}`
      return `${of} among (${condition.field} in ${relatedText(condition)}) ${compared}`
    }
    case 'search':
      return `search (${condition.words.length} words)`
    case 'tree': {
      const { field, direction, table, from, levels } = condition
      const bound = levels === undefined ? '' : ` to depth ${levels}`
      return `${field} ${direction === 'down' ? 'within' : 'on the path to'} (${table.name} where ${joined(from, 'and')})${bound}`
    }
    case 'after':
      return `after (${condition.order.map(({ field }) => field).join(', ')})`
    case 'null':
      return `${condition.field} is ${condition.value ? '' : 'not '}null`
    case 'in':
    case 'nin':
    case 'has':
    case 'hasnt':
      return `${condition.field} ${condition.operator} (${condition.values.length} values)`
    case 'fields':
      return `${condition.field} ${SIGNS[condition.comparison]} ${condition.other}`
    case 'path':
      return `${[condition.field, ...condition.path].join('.')} ${'value' in condition ? `${SIGNS[condition.comparison]} ?` : condition.comparison}`
    default:
      return `${condition.field} ${SIGNS[condition.operator] ?? condition.operator} ?`
  }
}
