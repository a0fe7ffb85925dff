/**
 * A set of networks. One list per family: a list that holds both compares IPv4
 * through its mapped form, and `::/8` would hold every IPv4 address.
 */
import { BlockList } from 'node:net'
import { InvalidCidr } from '../errors.ts'
import { type CanonicalAddress, canonicalAddress } from './canonical-address.ts'
import { groupsOf } from './embedded-ipv4.ts'

const CIDR = /^([0-9a-fA-F.:]+)\/(\d{1,3})$/

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
function hostPart({ address, family }: CanonicalAddress, bits: number): bigint {
  const value = family === 4 ? valueOf4(address) : valueOf6(address)
  return value & ((1n << BigInt(bits)) - 1n)
}

function valueOf4(address: string): bigint {
  return address.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n)
}

function valueOf6(address: string): bigint {
  return groupsOf(address).reduce((value, group) => (value << 16n) | BigInt(group), 0n)
}
