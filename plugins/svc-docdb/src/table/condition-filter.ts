/** Conditions as the server's own filter. Values are compared, never read as operators. Pure. */
import type { Document, Filter } from 'mongodb'
import type {
  AfterCondition,
  ColumnCondition,
  Condition,
  ConditionValue,
  FieldsCondition,
  NullCondition,
  PathCondition,
  SortKey
} from 'svc-stores/table'
import type { DocumentColumns } from './document-columns.ts'
import { pathFilter } from './document-path.ts'
import { searchFilter } from './document-words.ts'
import { likePattern } from './like-pattern.ts'

/** What a filter asks of columns. */
export type FilterColumns = Pick<DocumentColumns, 'field' | 'operand' | 'holdsLists'>

const OPERATORS = { eq: '$eq', ne: '$ne', gt: '$gt', gte: '$gte', lt: '$lt', lte: '$lte' } as const

const LISTS = { in: '$in', has: '$in', nin: '$nin', hasnt: '$nin' } as const

const SYNTAX = /[\\^$.|?*+()[\]{}/]/g

/** Every test is one key; where two have the same one, they are joined. */
export function conditionFilter(columns: FilterColumns, conditions: readonly Condition[]): Filter<Document> {
  const [first] = conditions
  if (first === undefined) return {}
  if (conditions.length === 1) return test(columns, first)
  const tests = conditions.map((condition) => test(columns, condition))
  const together = Object.assign({}, ...tests) as Filter<Document>
  return Object.keys(together).length === tests.length ? together : { $and: tests }
}

function test(columns: FilterColumns, condition: Condition): Filter<Document> {
  switch (condition.operator) {
    case 'any':
      // The server takes no empty list.
      if (condition.of.length === 0) return { _id: { $in: [] } }
      return { $or: condition.of.map((each) => conditionFilter(columns, each)) }
    case 'not':
      return { $nor: [conditionFilter(columns, condition.of)] }
    case 'related':
    case 'measured':
    case 'tree':
      throw new TypeError('a condition on other tables must be resolved first')
    case 'search':
      return searchFilter(columns, condition)
    case 'after':
      return afterFilter(condition, ({ field }, value) => [columns.field(field), columns.operand(field, value)])
    case 'null':
      return nullFilter(columns, condition)
    case 'fields':
      return fieldsFilter(columns, condition)
    case 'path':
      return pathFilter(columns.field(condition.field), condition)
    default:
      return { [columns.field(condition.field)]: fieldTest(columns, condition) }
  }
}

type ValueTest = Exclude<ColumnCondition, NullCondition | FieldsCondition | PathCondition>

function fieldTest(columns: FilterColumns, condition: ValueTest): Document {
  const { field } = condition
  switch (condition.operator) {
    case 'like':
      return { $regex: likePattern(condition.pattern) }
    case 'contains':
      return { $regex: literal(condition.text), $options: 'i' }
    case 'starts':
      return { $regex: `^${literal(condition.text)}`, $options: 'i' }
    case 'holds':
      return { $elemMatch: condition.item }
    case 'lacks':
      return { $not: { $elemMatch: condition.item } }
    case 'in':
    case 'nin':
    case 'has':
    case 'hasnt': {
      const values = condition.values.map((value) => columns.operand(field, value))
      return { [LISTS[condition.operator]]: condition.orNull ? [...values, null] : values }
    }
    default:
      return { [OPERATORS[condition.operator]]: columns.operand(field, condition.value) }
  }
}

/** To an expression null is a value, which lies below all others. */
function fieldsFilter(columns: FilterColumns, { field, comparison, other }: FieldsCondition): Filter<Document> {
  const [one, two] = [columns.field(field), columns.field(other)]
  const compared = { $expr: { [OPERATORS[comparison]]: [`$${one}`, `$${two}`] } }
  return { $and: [{ [one]: { $ne: null } }, { [two]: { $ne: null } }, compared] }
}

/** A server takes a list for null that holds one. */
function nullFilter(columns: FilterColumns, { field, value }: NullCondition): Filter<Document> {
  const name = columns.field(field)
  if (!columns.holdsLists(field)) return { [name]: value ? { $eq: null } : { $ne: null } }
  const isList = { $type: 'array' }
  return value ? { [name]: { $eq: null, $not: isList } } : { $or: [{ [name]: { $ne: null } }, { [name]: isList }] }
}

/**
 * Behind the row in the first key of the order, or level with it there and behind it in the next.
 *
 * @param placed where documents have a key, and a value as it is compared there
 */
export function afterFilter(
  { order, values }: AfterCondition,
  placed: (key: SortKey, value: ConditionValue | undefined) => readonly [path: string, operand: unknown]
): Filter<Document> {
  const level: Document = {}
  const filters = order.map((key, index) => {
    const [path, value] = placed(key, values[index])
    const filter = { ...level, [path]: { [key.direction === 'ASC' ? '$gt' : '$lt']: value } }
    level[path] = { $eq: value }
    return filter
  })
  return { $or: filters }
}

/** The one capital that is folded to two characters does not match them, whatever the case. */
function literal(text: string): string {
  return text.replace(SYNTAX, '\\$&').replaceAll('i\u0307', '(?:i\u0307|\u0130)')
}
