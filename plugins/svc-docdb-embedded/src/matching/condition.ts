/** What a filter becomes: a test of documents, and the comparisons that every match must meet, which indexes use. */
import type { Document, Value } from '../values/value.ts'

/** A condition on one field that holds for each matching document. */
export interface Comparison {
  readonly path: string
  readonly operator: '$eq' | '$in' | '$gt' | '$gte' | '$lt' | '$lte'
  /** For `$in`, the values of its list. */
  readonly operand: Value
}

export interface Condition {
  readonly matches: (document: Document) => boolean
  /** Necessary, not sufficient: a document that fails one of them cannot match. */
  readonly comparisons: readonly Comparison[]
}

/** A test of what stands at a path; `undefined` where nothing does. */
export type ValueTest = (value: Value | undefined) => boolean

/** How an operator meets arrays: `elements` tests them and each of their elements, `whole` only them. */
export interface FieldTest {
  readonly test: ValueTest
  readonly reach: 'elements' | 'whole'
  /** The field passes when no value at the path passes `test`. */
  readonly negated?: boolean
}

/** What operators that hold conditions of their own need of the parser. */
export interface Parser {
  filter: (filter: Document) => Condition
  /** The tests of `{ $gt: 1, $lt: 5 }`. */
  operators: (operators: Document) => readonly FieldTest[]
}

/** Makes the test of one operator from its operand. `siblings` are the operators beside it. */
export type OperatorBuilder = (operand: Value, parser: Parser, siblings: Document) => FieldTest | null
