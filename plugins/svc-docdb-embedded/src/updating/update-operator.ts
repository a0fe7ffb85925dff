/** What each update operator becomes: a function from the value that stands at a path to the one that is to stand there. */
import type { Parser } from '../matching/condition.ts'
import type { Value } from '../values/value.ts'

export interface ModifierContext {
  /** The path as the client wrote it, for messages. */
  readonly path: string
  /** The `_id` of the document, for messages. */
  readonly id: string
  readonly now: Date
}

export interface Modifier {
  /** Whether it brings the field, and the documents on the way, into being. */
  readonly creates: boolean
  /** `undefined` leaves the field as it is, or absent. */
  readonly apply: (current: Value | undefined, context: ModifierContext) => Value | undefined
  /** Takes the field away; `apply` is not asked. */
  readonly removes?: true
  /** Holds for the document of an upsert only. */
  readonly onInsertOnly?: true
}

/** @throws CommandError when the operand is not what the operator takes */
export type ModifierBuilder = (operand: Value, path: string, parser: Parser) => Modifier
