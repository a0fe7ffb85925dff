/**
 * How a wrong value is shown: short, and never with a secret in it. A value
 * under a name that may hold one is shown by its type, a tree by its size.
 */

const SECRET_NAME = /key|secret|password|token|credential|uri|url/i
const CREDENTIALS_IN_URL = /:\/\/[^/\s]*@/

/** @param segments path of the value; one telling name anywhere in it is enough */
export function describeValue(segments: readonly string[], value: unknown): string {
  if (value === undefined) return 'undefined'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  if (typeof value === 'string' && (namesSecret(segments) || CREDENTIALS_IN_URL.test(value))) {
    return `text of ${value.length} characters`
  }
  if (value !== null && namesSecret(segments)) return typeof value
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

function namesSecret(segments: readonly string[]): boolean {
  return segments.some((segment) => SECRET_NAME.test(segment))
}
