/**
 * Connects to checked addresses and to no other, while the name stays what TLS
 * asks for and verifies. A name is "resolved" to the checked list; a literal
 * host never reaches that look-up, and so the peer's address is compared as well.
 */
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { type SecureContext, connect as secureConnect } from 'node:tls'
import { type CanonicalAddress, canonicalAddress } from '../ssrf/canonical-address.ts'
import { SsrfError } from '../ssrf/ssrf-error.ts'
import type { CheckedTarget } from '../ssrf/url-guard.ts'

/**
 * @param secureContext what the certificate of a server is verified with
 * @param settled called once: with null when the socket may be used, with the error when it may not
 * @returns the socket, connecting: whoever gives up has to destroy it
 */
export function openPinnedSocket(
  { url, addresses }: CheckedTarget,
  secureContext: SecureContext,
  settled: (error: Error | null) => void
): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const to = { host, lookup: pinnedLookup(addresses), autoSelectFamily: true, noDelay: true }
  const socket =
    url.protocol === 'https:'
      ? secureConnect({
          ...to,
          port: Number(url.port || 443),
          // None for an address, and never with the final dot of a name (RFC 6066, section 3).
          servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
          ALPNProtocols: ['http/1.1'],
          secureContext,
          rejectUnauthorized: true
        })
      : connect({ ...to, port: Number(url.port || 80) })
  socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
    if (!isChecked(socket.remoteAddress, addresses)) {
      socket.destroy(new SsrfError('address'))
      return
    }
    // From here on whoever uses the socket hears its errors.
    socket.off('error', settled)
    settled(null)
  })
  socket.once('error', settled)
  return socket
}

function isChecked(peer: string | undefined, addresses: readonly CanonicalAddress[]): boolean {
  const address = canonicalAddress(peer ?? '')?.address
  return addresses.some((checked) => checked.address === address)
}

/** Answers in either form that Node asks for: all addresses, to try them in turn, or the first. */
function pinnedLookup(addresses: readonly CanonicalAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    const [first] = addresses
    if (all) callback(null, [...addresses])
    else if (first !== undefined) callback(null, first.address, first.family)
  }
}
