/**
 * Whether a delivery may go to an address. Internal ones only where the operator opened their network by name. An IPv4
 * address inside an IPv6 one is judged as IPv4, whatever is opened around it.
 */
import { BlockList } from 'node:net'
import { InvalidCidr } from '../errors.ts'
import { INTERNAL_IPV4, INTERNAL_IPV6, NEVER_OPENED } from './internal-ranges.ts'
import { addressValue, type CanonicalAddress, canonicalAddress, embeddedIpv4 } from './ip-address.ts'

export interface SsrfPolicy {
  /** Permits `http:` beside `https:`. */
  readonly allowHttp: boolean
  /** False skips the check of addresses; scheme and credentials are still checked. Development only. */
  readonly denyPrivateIps: boolean
  /** Internal networks that are open nevertheless, such as `10.20.0.0/16`. Never link-local or cloud metadata. */
  readonly allowCidrs: readonly string[]
}

const CIDR = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/

/**
 * A set of networks. One list per family: a list that holds both compares IPv4 through its mapped form, and `::/8` would
 * hold every IPv4 address.
 */
export class AddressRanges {
  readonly #lists = { 4: new BlockList(), 6: new BlockList() }

  /** @throws InvalidCidr (SVC_WEBHOOKS_BAD_CIDR) for what is not a network written with its first address */
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
    // ::ffff:10.0.0.0/104 would never match, since such addresses are judged as IPv4: write 10.0.0.0/8.
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

/** No setting opens it, nor what it carries. */
export function isNeverOpened(address: CanonicalAddress): boolean {
  return NEVER.has(address) || embeddedIpv4(address).some((inner) => NEVER.has(inner))
}
