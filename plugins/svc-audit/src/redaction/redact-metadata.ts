/**
 * What a producer adds to an event, as a frozen copy of plain data: secrets masked by name and by form, text made safe,
 * size bounded. Pure.
 */
import { isSecretName, MASK, safeText } from 'svc-kernel/plugin'

type Metadata = Readonly<Record<string, unknown>>

const MAX_DEPTH = 4
/** Keys and items together. */
const MAX_ENTRIES = 100
const MAX_TEXT = 1024

const NONE: Metadata = Object.freeze({})
const UNREADABLE: Metadata = Object.freeze({ unreadable: true })

/** Never throws: metadata that cannot be read loses itself, not the event. */
export function redactMetadata(given: unknown): Metadata {
  if (given === undefined || given === null) return NONE
  try {
    if (typeof given !== 'object') return Object.freeze({ value: redact(given, { left: 1 }, 1) })
    return redactObject(given, { left: MAX_ENTRIES }, 1)
  } catch {
    return UNREADABLE
  }
}

interface Budget {
  left: number
}

function redact(value: unknown, budget: Budget, depth: number): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'string') return safeText(value, MAX_TEXT)
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return `[${typeof value}]`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (depth > MAX_DEPTH) return '[nested too deep]'
  return Array.isArray(value) ? redactArray(value, budget, depth) : redactObject(value, budget, depth)
}

function redactArray(value: readonly unknown[], budget: Budget, depth: number): unknown {
  const items: unknown[] = []
  for (let index = 0; index < value.length && budget.left > 0; index += 1) {
    budget.left -= 1
    items.push(redact(value[index], budget, depth + 1))
  }
  if (items.length < value.length) items.push(`[${value.length - items.length} more]`)
  return Object.freeze(items)
}

function redactObject(value: object, budget: Budget, depth: number): Metadata {
  const target: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (budget.left === 0) {
      target['...'] = 'more'
      break
    }
    const { shown, secret } = keyRule(key)
    const child: unknown = secret ? MASK : (value as Record<string, unknown>)[key]
    if (child === undefined) continue
    budget.left -= 1
    const redacted = redact(child, budget, depth + 1)
    if (shown === '__proto__') Object.defineProperty(target, shown, { value: redacted, enumerable: true })
    else target[shown] = redacted
  }
  return Object.freeze(target)
}

interface KeyRule {
  readonly shown: string
  readonly secret: boolean
}

/** Producers use few keys, over and over. */
const rules = new Map<string, KeyRule>()
const MAX_RULES = 1000

function keyRule(key: string): KeyRule {
  const known = rules.get(key)
  if (known !== undefined) return known
  const rule = { shown: safeText(key, 128), secret: isSecretName(key) }
  if (rules.size < MAX_RULES && key.length <= 128) rules.set(key, rule)
  return rule
}
