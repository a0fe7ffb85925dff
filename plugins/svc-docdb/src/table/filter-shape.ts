/**
 * What a filter asks, without what it asks for: names of fields and operators stay, each value is `?`. A document that is
 * a value has names of its own, which a caller may have chosen: it is one value. Pure.
 */
const DEEPEST = 6
const LONGEST = 1000

/** A filter, or the stages of a pipeline, as text; `undefined` for anything else. */
export function filterShape(asked: unknown): string | undefined {
  if (typeof asked !== 'object' || asked === null) return undefined
  const text = Array.isArray(asked) ? `[${asked.map(stageShape).join(', ')}]` : shapeOf(asked, DEEPEST)
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}

/** Of what is no filter the name alone. */
function stageShape(stage: unknown): string {
  const [[name, body] = ['?', null]] = Object.entries(stage as object)
  return name === '$match' ? `$match ${shapeOf(body, DEEPEST)}` : name
}

function shapeOf(filter: unknown, depth: number): string {
  if (depth === 0 || typeof filter !== 'object' || filter === null) return '?'
  const parts = Object.entries(filter).map(([name, value]) => `${name}: ${valueShape(name, value, depth)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

function valueShape(name: string, value: unknown, depth: number): string {
  // Alternatives are filters themselves; the operands of any other operator are values.
  if (Array.isArray(value) && /^\$(?:and|or|nor)$/.test(name)) {
    return `[${value.map((each) => shapeOf(each, depth - 1)).join(', ')}]`
  }
  return isOperators(value) ? shapeOf(value, depth - 1) : '?'
}

function isOperators(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const names = Object.keys(value)
  return names.length > 0 && names.every((name) => name.startsWith('$'))
}
