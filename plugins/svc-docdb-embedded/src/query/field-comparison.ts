/** `$expr` that compares two fields of a document: any other expression is refused. */
import { CommandError, notImplemented } from '../failure/command-error.ts'
import { compareValues } from '../values/compare-values.ts'
import { type Document, firstName, isDocument, type Value } from '../values/value.ts'
import { ORDER_TESTS } from './operators.ts'

const COMPARISONS: ReadonlyMap<string, (difference: number) => boolean> = new Map(Object.entries(ORDER_TESTS))

/** @throws CommandError 168 for an unknown operator, 16020 for other than two operands, 238 for what is no top-level field */
export function fieldComparison(expression: Value): (document: Document) => boolean {
  if (!isDocument(expression)) throw notImplemented('$expr of anything but a comparison')
  const name = firstName(expression)
  const accepts = COMPARISONS.get(name)
  if (accepts === undefined || expression.size !== 1) {
    throw new CommandError(168, `Unrecognized expression '${name}' in $expr`)
  }
  const operands = expression.get(name)
  if (!Array.isArray(operands) || operands.length !== 2) {
    throw new CommandError(16020, `Expression ${name} takes exactly 2 arguments.`)
  }
  const [one, two] = operands.map(fieldName) as [string, string]
  return (document) => accepts(compareValues(document.get(one), document.get(two)))
}

function fieldName(operand: Value): string {
  if (typeof operand === 'string' && /^\$[^$.]+$/.test(operand)) return operand.slice(1)
  throw notImplemented('$expr over anything but two fields of the document')
}
