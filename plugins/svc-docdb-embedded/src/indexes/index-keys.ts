/**
 * The keys under which a document stands in an index: one for each element where a field meets an array. Two fields
 * of one index may share an array, never meet two.
 */
import { CommandError } from '../failure/command-error.ts'
import { isPosition } from '../matching/values-at.ts'
import { type Document, isDocument, type Value } from '../values/value.ts'
import type { IndexDefinition } from './index-definition.ts'

/** `undefined` stands for an empty array; an absent field is null. */
export type IndexKey = readonly (Value | undefined)[]

/** How far a field has come: what is reached, and the names still to go. `present` is false where a name was missing. */
interface Step {
  readonly value: Value | undefined
  readonly rest: readonly string[]
  readonly present: boolean
  /** An array that was already entered is a value of its own. */
  readonly done: boolean
}

/** @throws CommandError 171 when two fields of the index meet different arrays */
export function indexKeys({ fields, sparse, partial }: IndexDefinition, document: Document): IndexKey[] {
  if (partial !== null && !partial.matches(document)) return []
  const start = fields.map(({ parts }): Step => ({ value: document, rest: parts, present: true, done: false }))
  return expand(start)
    .filter((steps) => !sparse || steps.some(({ present }) => present))
    .map((steps) => steps.map(({ value, present }) => (present ? value : null)))
}

function expand(steps: readonly Step[]): (readonly Step[])[] {
  const reached = steps.map(advance)
  const arrays = new Set(reached.flatMap(({ value, done }) => (!done && Array.isArray(value) ? [value] : [])))
  if (arrays.size > 1) throw new CommandError(171, 'cannot index parallel arrays')
  const [array] = arrays
  if (array === undefined) return [reached]
  const elements = array.length === 0 ? [undefined] : array
  return elements.flatMap((element) =>
    expand(reached.map((step) => (step.value === array ? enter(step, element) : step)))
  )
}

/** Follows names through documents up to the end of the path, or to an array. */
function advance(step: Step): Step {
  let { value, rest } = step
  if (step.done) return step
  while (rest.length > 0) {
    const [name = ''] = rest
    if (Array.isArray(value)) {
      if (!isPosition(name)) return { ...step, value, rest }
      value = value[Number(name)]
    } else {
      value = isDocument(value) ? value.get(name) : undefined
    }
    if (value === undefined) return { value, rest: [], present: false, done: true }
    rest = rest.slice(1)
  }
  return { value, rest, present: value !== undefined, done: !Array.isArray(value) }
}

function enter(step: Step, element: Value | undefined): Step {
  if (step.rest.length === 0) return { value: element, rest: [], present: true, done: true }
  if (isDocument(element)) return { ...step, value: element }
  return { value: undefined, rest: [], present: false, done: true }
}
