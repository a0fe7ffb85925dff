/** What counts as one caller where all that is known of it is an address. Pure. */
import { isIP, SocketAddress } from 'node:net'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/

/**
 * Who counts as one address: an IPv4 address, or the /64 of an IPv6 one, in which a single machine owns every address.
 * The same machine has one form, however it is written. A client that is gone has no address any more: all of those
 * count as one network.
 */
export function clientNetwork(ip: string | undefined): string {
  const bare = ip?.split('%')[0] ?? ''
  if (isIP(bare) !== 6) return isIP(bare) === 4 ? bare : 'unknown'
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' })
  const mapped = MAPPED.exec(address)?.[1]
  return mapped ?? `${groups(address).slice(0, 4).join(':')}::/64`
}

/** The eight groups, written out. */
function groups(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
}
