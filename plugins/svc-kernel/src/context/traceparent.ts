/**
 * The `traceparent` header of W3C Trace Context: `<version>-<trace id>-<parent id>-<flags>`. What does not follow the
 * recommendation is ignored, as it asks. Pure.
 */

const PARTS = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * A version that is not known yet may have more parts; its first four are read as those of version 00.
 *
 * @returns the value as version 00; `null` if it is missing, repeated or malformed
 */
export function readTraceparent(header: unknown): string | null {
  const parts = typeof header === 'string' ? PARTS.exec(header.trim()) : null
  if (parts === null) return null
  const [, version, traceId = '', spanId = '', flags = '', more] = parts
  if (version === 'ff' || (version === '00' && more !== undefined)) return null
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  // Version 00 knows one flag, and asks that the others be zero when they are sent on.
  return `00-${traceId}-${spanId}-0${Number.parseInt(flags, 16) & 1}`
}

/** 32 hexadecimal digits. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35)
}
