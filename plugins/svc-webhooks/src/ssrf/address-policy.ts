/**
 * May a delivery go to this address? Internal ones only where the operator opened their network by name. An IPv4
 * address inside an IPv6 one is judged as IPv4, whatever is opened around it.
 */
import { AddressRanges } from './address-ranges.ts'
import type { CanonicalAddress } from './canonical-address.ts'
import { embeddedIpv4 } from './embedded-ipv4.ts'
import { INTERNAL_IPV4, INTERNAL_IPV6, NEVER_OPENED } from './internal-ranges.ts'
import type { SsrfPolicy } from './ssrf-policy.ts'

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
