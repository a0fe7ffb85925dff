/**
 * URLs as logs and lists may show them: without what proves who somebody is, by its name or by its form, at whatever depth.
 * A value that holds a secret goes whole. Pure.
 */
import { MASK, safeText } from './safe-text.ts'
import { mayBeSecretName } from './secret-names.ts'

/** In a URL: what is a credential once, or for a while. */
const ONCE = /auth|bearer|code|jwt|nonce|pin|session|sid$|sig|state|ticket|verifier|pwd/i

/** Whether a parameter of this name, decoded, is shown without its value. */
export function isSecretParameter(name: string): boolean {
  return ONCE.test(name) || mayBeSecretName(name)
}

/** A name that is given a value somewhere in a text: of a query, of a form, of JSON. */
const NAMED = /["']?([\w.[\]-]{1,128})["']?\s*[=:]/g

/** A URL within a URL is decoded this often; what is encoded deeper is not shown. */
const DEEPEST = 5

/** What precedes the host. */
const USER_INFO = /\/\/[^/?#\s]*@/g

/** Longer than this and made of letters and digits, a segment is taken for a secret where no route knows it. */
const RANDOM = /^(?=.*\d)(?=.*[a-z])[\w.~-]{16,}$/i

/** @param isRouted `false` where no route answered: what its segments are is not known then */
export function shownUrl(url: string, isRouted = true): string {
  const whole = url.replace(USER_INFO, `//${MASK}@`)
  const query = whole.indexOf('?')
  const path = query === -1 ? whole : whole.slice(0, query)
  const shown = path
    .split('/')
    .map((segment) => shownSegment(segment, isRouted))
    .join('/')
  return query === -1 ? shown : `${shown}?${shownParameters(whole.slice(query + 1))}`
}

function shownSegment(segment: string, isRouted: boolean): string {
  const [first = '', ...parameters] = segment.split(';')
  const isHidden = (!isRouted && RANDOM.test(first)) || hasCredentialForm(first)
  return [isHidden ? MASK : first, ...parameters.map(shownParameter)].join(';')
}

function shownParameters(query: string): string {
  return query
    .split(/([&;])/)
    .map((part, index) => (index % 2 === 1 ? part : shownParameter(part)))
    .join('')
}

function shownParameter(pair: string): string {
  const equals = pair.indexOf('=')
  if (equals === -1) return hasCredentialForm(pair) ? MASK : pair
  const name = pair.slice(0, equals)
  const known = decoded(name)
  if (known === null || isSecretParameter(known) || holdsSecret(pair.slice(equals + 1))) return `${name}=${MASK}`
  return pair
}

/** Whether a value has a credential in it, or gives one a name. */
function holdsSecret(value: string): boolean {
  let text = value
  for (let depth = 0; depth < DEEPEST; depth += 1) {
    if (hasCredentialForm(text)) return true
    for (const [, name = ''] of text.matchAll(NAMED)) if (isSecretParameter(name)) return true
    const inner = decoded(text)
    if (inner === null || inner === text) return false
    text = inner
  }
  return true
}

function hasCredentialForm(text: string): boolean {
  // A mask that a caller wrote, or an earlier step, hides nothing.
  const seen = (decoded(text) ?? text).replaceAll(MASK, '')
  return safeText(seen, Number.POSITIVE_INFINITY).includes(MASK)
}

/** `null` where it cannot be read. */
function decoded(text: string): string | null {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
