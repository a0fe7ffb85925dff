/**
 * One spelling per address. An IPv4 address inside an IPv6 one
 * (`::ffff:0:0/96`) is that IPv4 address, in whatever notation it came. What is
 * not an address, or names a zone, is none: a zone selects an interface.
 */
import { isIP } from 'node:net'

export interface CanonicalAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** The two groups behind `::ffff:`, in the only form that a URL host is written in. */
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/** @returns null for anything but an IP address without a zone */
export function canonicalAddress(text: string): CanonicalAddress | null {
  const family = isIP(text)
  if (family === 4) return { address: text, family }
  if (family !== 6 || text.includes('%')) return null
  const address = new URL(`http://[${text}]`).hostname.slice(1, -1)
  const [, high, low] = MAPPED.exec(address) ?? []
  if (high === undefined || low === undefined) return { address, family }
  return { address: dotted(Number.parseInt(high, 16), Number.parseInt(low, 16)), family: 4 }
}

/** @param high the first two bytes @param low the last two */
export function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}
