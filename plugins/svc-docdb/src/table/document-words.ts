/**
 * Words among documents: a list of them beside each text, with an index of its items. The text search of the server has rules of
 * its own for what a word is, and cannot be asked within other conditions. Pure.
 */
import type { Document, Filter } from 'mongodb'
import type { RankedValue, SearchCondition, SearchedWord } from 'svc-stores/table'
import type { DocumentColumns } from './document-columns.ts'

/** Words are letters, marks and digits: whatever follows one in an index begins with it, up to this character behind it. */
const LAST = '\u{10FFFF}'

/** Each word is in one of the lists. */
export function searchFilter(
  columns: Pick<DocumentColumns, 'field'>,
  { columns: names, words }: SearchCondition
): Filter<Document> {
  const fields = names.map((name) => columns.field(name))
  const tests = words.map(({ word, prefix = false }): Filter<Document> => {
    const holds = prefix ? { $elemMatch: { $gte: word, $lt: `${word}${LAST}` } } : word
    return anyOf(fields.map((field) => ({ [field]: holds })))
  })
  return tests.length === 1 ? (tests[0] as Filter<Document>) : { $and: tests }
}

function anyOf(tests: readonly Filter<Document>[]): Filter<Document> {
  return tests.length === 1 ? (tests[0] as Filter<Document>) : { $or: [...tests] }
}

/** How often the words occur, by the weights of the fields. */
export function rankExpression(
  columns: Pick<DocumentColumns, 'field'>,
  { columns: weighted, words }: RankedValue
): Document {
  const parts = weighted.map(({ column, weight }) => {
    const input = { $ifNull: [`$${columns.field(column)}`, []] }
    const counts = words.map((word) => ({ $size: { $filter: { input, cond: isWord(word) } } }))
    return { $multiply: [weight, { $add: counts }] }
  })
  return { $add: parts }
}

function isWord({ word, prefix = false }: SearchedWord): Document {
  if (!prefix) return { $eq: ['$$this', word] }
  return { $and: [{ $gte: ['$$this', word] }, { $lt: ['$$this', `${word}${LAST}`] }] }
}
