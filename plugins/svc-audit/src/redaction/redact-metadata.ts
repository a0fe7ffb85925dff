/**
 * What a producer adds to an event, as a frozen copy of plain data: secrets masked by name and by form, text made safe,
 * size bounded. Pure.
 */
import { MASK, safeText } from './safe-text.ts'

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

/** Words that announce a secret anywhere in a name. */
const ALWAYS = new Set([
  'password',
  'passwd',
  'passphrase',
  'pwd',
  'secret',
  'authorization',
  'cookie',
  'cookies',
  'bearer',
  'jwt'
])

/** At the end of a name. */
const LAST = new Set(['token', 'tokens', 'credential', 'credentials', 'apikey', 'otp', 'pin', 'passcode', 'signature'])

/** `key` at the end, after one of these. */
const KEYS = new Set(['api', 'private', 'encryption', 'signing', 'access', 'session'])

/** `accessToken` announces a secret, `tokenId` does not: it names the token without giving it away. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name)
  if (words.some((word) => ALWAYS.has(word))) return true
  const last = words.at(-1) ?? ''
  return LAST.has(last) || (/^keys?$/.test(last) && KEYS.has(words.at(-2) ?? ''))
}

/** Words of `camelCase`, `snake_case`, `kebab-case` and `HTTPHeader` names, in lower case. */
function wordsOf(name: string): string[] {
  return name
    .slice(0, 128)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
}
