/**
 * Decides whether a delivery may go to an address. Internal addresses need an entry in `allowCidrs`. Each address has
 * one spelling: an IPv4-mapped IPv6 address (`::ffff:0:0/96`) is that IPv4 address, in any notation. An IPv4 address
 * inside an IPv6 address is checked as IPv4 too, whatever network is open around it. Pure.
 */
import { BlockList, isIP } from 'node:net'
import { InvalidCidr } from '../errors.ts'
import { INTERNAL_IPV4, INTERNAL_IPV6, NEVER_OPENED } from './internal-ranges.ts'

export interface CanonicalAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** The two groups after `::ffff:`, in the only form that a URL host has. */
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/** @returns null for anything but an IP address without a zone, because a zone selects an interface */
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
function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
}

/** The eight groups of a canonical IPv6 address; `::` stands for the missing zero groups. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const before = numbers(head)
  const after = tail === undefined ? [] : numbers(tail)
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}

/** The address as a number: 32 bits for IPv4, 128 bits for IPv6. */
export function addressValue({ address, family }: CanonicalAddress): bigint {
  const [parts, bits] = family === 4 ? [address.split('.'), 8n] : [groupsOf(address), 16n]
  return parts.reduce<bigint>((value, part) => (value << bits) | BigInt(part), 0n)
}

/**
 * IPv4 addresses to which a gateway or a tunnel would forward. A closed address must not be reachable through another
 * one. Mapped addresses are IPv4 already.
 *
 * @returns every IPv4 address inside, by all applicable readings; none for most addresses
 */
export function embeddedIpv4({ address, family }: CanonicalAddress): CanonicalAddress[] {
  if (family === 4) return []
  const groups = groupsOf(address)
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  const found: [high: number, low: number][] = []
  const beginsWith = (...start: number[]) => start.every((group, index) => groups[index] === group)
  // IPv4-compatible (RFC 4291); :: and ::1 are none. IPv4-translated (RFC 2765).
  if (beginsWith(0, 0, 0, 0, 0, 0) && (g > 0 || h > 1)) found.push([g, h])
  if (beginsWith(0, 0, 0, 0, 0xffff, 0)) found.push([g, h])
  // NAT64 (RFC 6052).
  if (beginsWith(0x64, 0xff9b, 0, 0, 0, 0)) found.push([g, h])
  if (beginsWith(0x64, 0xff9b, 1)) found.push(...localNat64(d, e, f, g, h))
  // 6to4 (RFC 3056).
  if (a === 0x2002) found.push([b, c])
  // Teredo (RFC 4380): the server, and the client with its bits inverted.
  if (a === 0x2001 && b === 0) found.push([c, d], [g ^ 0xffff, h ^ 0xffff])
  // ISATAP (RFC 5214), under whatever prefix.
  if ((e & 0xfdff) === 0 && f === 0x5efe) found.push([g, h])
  return found.map(([high, low]) => ({ address: dotted(high, low), family: 4 }))
}

/**
 * NAT64 with a local prefix (RFC 8215), from the fourth group on. The length of the prefix is unknown, so every
 * reading that ends in zeros counts, as in RFC 6052, and the one of 96 bits always.
 */
function localNat64(d: number, e: number, f: number, g: number, h: number): [high: number, low: number][] {
  const readings: [high: number, low: number][] = [[g, h]]
  if (h !== 0) return readings
  if ((g & 0xff) === 0) readings.push([around(e, f), around(f, g)])
  if (g === 0) readings.push([((d & 0xff) << 8) | (e & 0xff), f])
  if (g === 0 && (f & 0xff) === 0) readings.push([d, around(e, f)])
  return readings
}

/** The last byte of one group and the first of the next. */
function around(one: number, next: number): number {
  return ((one & 0xff) << 8) | (next >> 8)
}

function numbers(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}

/** Which URLs a message may be sent to. */
export interface SsrfPolicy {
  /** Allows `http:` besides `https:`. */
  readonly allowHttp: boolean
  /** False skips the check of addresses; scheme and credentials are still checked. Development only. */
  readonly denyPrivateIps: boolean
  /** Internal networks that are open, such as `10.20.0.0/16`. Never link-local or cloud metadata. */
  readonly allowCidrs: readonly string[]
}

const CIDR = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/

/**
 * A set of networks, with one list per family: a mixed list compares IPv4 through its mapped form, and `::/8` would
 * contain every IPv4 address.
 */
export class AddressRanges {
  readonly #lists = { 4: new BlockList(), 6: new BlockList() }

  /** @throws InvalidCidr (SVC_WEBHOOKS_BAD_CIDR) if an entry is not a network written with its first address */
  constructor(cidrs: readonly string[]) {
    for (const cidr of cidrs) this.#add(cidr)
  }

  has({ address, family }: CanonicalAddress): boolean {
    return this.#lists[family].check(address, `ipv${family}`)
  }

  #add(cidr: string): void {
    const [, text = '', length = ''] = CIDR.exec(cidr) ?? []
    const network = canonicalAddress(text)
    if (network === null) throw new InvalidCidr(cidr)
    const width = network.family === 4 ? 32 : 128
    const bits = Number(length)
    // ::ffff:10.0.0.0/104 would never match, because such addresses are checked as IPv4: write 10.0.0.0/8.
    const isMapped = network.family === 4 && text.includes(':')
    if (isMapped || bits > width || hostPart(network, width - bits) !== 0n) throw new InvalidCidr(cidr)
    this.#lists[network.family].addSubnet(network.address, bits, `ipv${network.family}`)
  }
}

/** The lowest bits of an address. */
function hostPart(address: CanonicalAddress, bits: number): bigint {
  return addressValue(address) & ((1n << BigInt(bits)) - 1n)
}

const INTERNAL = new AddressRanges([...INTERNAL_IPV4, ...INTERNAL_IPV6])
const NEVER = new AddressRanges(NEVER_OPENED)

export type AddressPolicy = (address: CanonicalAddress) => boolean

/** @throws InvalidCidr (SVC_WEBHOOKS_BAD_CIDR) for an entry of `allowCidrs` that is not a network */
export function addressPolicy({
  denyPrivateIps,
  allowCidrs
}: Pick<SsrfPolicy, 'denyPrivateIps' | 'allowCidrs'>): AddressPolicy {
  const opened = new AddressRanges(allowCidrs)
  if (!denyPrivateIps) return () => true
  const allows: AddressPolicy = (address) =>
    (!INTERNAL.has(address) || (opened.has(address) && !NEVER.has(address))) && embeddedIpv4(address).every(allows)
  return allows
}

/** No setting opens this address, nor an address inside it. */
export function isNeverOpened(address: CanonicalAddress): boolean {
  return NEVER.has(address) || embeddedIpv4(address).some((inner) => NEVER.has(inner))
}
