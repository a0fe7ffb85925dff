/**
 * Protects internal networks from requests (SSRF). A URL passes if its form and every address of its host pass.
 * Connect to the returned addresses only, because the name may resolve to others later.
 */
import { type Clock, systemClock } from 'svc-kernel'
import { withTimeout } from 'svc-kernel/plugin'
import {
  type AddressPolicy,
  addressPolicy,
  type CanonicalAddress,
  canonicalAddress,
  type SsrfPolicy
} from './address-policy.ts'
import { type Lookup, lookupFailure, type ResolvedAddress, systemLookup } from './lookup.ts'
import { SsrfError } from './ssrf-error.ts'

/** A URL that passed the check, with the addresses that a connection may use. */
export interface CheckedTarget {
  /** Normal form: `url.href` is stored and called. */
  readonly url: URL
  /** All checked addresses of the host, in the order of the resolver. */
  readonly addresses: readonly CanonicalAddress[]
}

/** The part between scheme and path. URL parsers read a backslash as a slash, and any number of them. */
const AUTHORITY = /^[^:/\\?#]*:[/\\]*([^/\\?#]*)/

/**
 * Checks form, scheme and credentials of a URL, before its host is resolved. It checks the text too, because the URL
 * parser silently drops control characters and an empty `:@`.
 *
 * @returns the URL in its normal form; its `href` is the one string to show, check and call
 * @throws SsrfError with reason `url`, `scheme` or `credentials`
 */
export function checkUrlForm(text: string, { allowHttp }: { readonly allowHttp: boolean }): URL {
  if (typeof text !== 'string' || /\p{Cc}/u.test(text) || text !== text.trim()) throw new SsrfError('url')
  const url = URL.parse(text)
  if (url === null) throw new SsrfError('url')
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) throw new SsrfError('scheme')
  const [, authority = ''] = AUTHORITY.exec(text) ?? []
  if (url.username !== '' || url.password !== '' || authority.includes('@')) throw new SsrfError('credentials')
  return url
}

export class UrlGuard {
  readonly #policy: SsrfPolicy
  readonly #lookup: Lookup
  readonly #allows: AddressPolicy

  /** @throws InvalidCidr (SVC_WEBHOOKS_BAD_CIDR) for an entry of `allowCidrs` that is not a network */
  constructor(policy: SsrfPolicy, lookup: Lookup) {
    this.#policy = policy
    this.#lookup = lookup
    this.#allows = addressPolicy(policy)
  }

  /** Takes as long as resolving the name. @throws SsrfError */
  async check(text: string): Promise<CheckedTarget> {
    const url = checkUrlForm(text, this.#policy)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const literal = canonicalAddress(host)
    const found = literal === null ? await this.#resolve(host) : [literal]
    return { url, addresses: found.map((address) => this.#judge(address)) }
  }

  async #resolve(host: string): Promise<readonly ResolvedAddress[]> {
    let found: readonly ResolvedAddress[]
    try {
      found = await this.#lookup(host)
    } catch (error) {
      throw new SsrfError(lookupFailure(error))
    }
    if (!Array.isArray(found) || found.length === 0) throw new SsrfError('unresolvable')
    return found
  }

  /** @param found from a resolver that the application may have written, so its type is not trusted */
  #judge(found: ResolvedAddress | null | undefined): CanonicalAddress {
    const canonical = canonicalAddress(String(found?.address))
    if (canonical === null || !this.#allows(canonical)) throw new SsrfError('address')
    return canonical
  }
}

/** Strict by default: `https:` only, no internal address. */
export interface UrlCheckOptions extends Partial<SsrfPolicy> {
  /** Resolves names. Default: the resolver of the system. */
  readonly lookup?: Lookup | undefined
  /** Longest time to resolve a name, in milliseconds. Default 5000. */
  readonly deadlineMs?: number | undefined
  readonly clock?: Clock | undefined
}

/**
 * Checks a URL when it is registered. The transport checks it again before each delivery.
 *
 * @returns the URL in its normal form and the checked addresses; none with `denyPrivateIps: false`, which skips the
 * look-up
 * @throws SsrfError (422, SVC_WEBHOOKS_URL_REFUSED), whose `reason` is from a fixed list. Anything undecidable is
 * refused: an unknown name, or a resolver that fails, times out or returns garbage.
 * @throws InvalidCidr (SVC_WEBHOOKS_BAD_CIDR) for an entry of `allowCidrs` that is not a network
 */
export async function assertUrlAllowed(given: string | URL, options: UrlCheckOptions = {}): Promise<CheckedTarget> {
  const text = given instanceof URL ? given.href : given
  const { lookup = systemLookup, deadlineMs = 5000, clock = systemClock } = options
  // Only an explicit boolean opens something: plain JavaScript may pass undefined or null.
  const policy: SsrfPolicy = {
    allowHttp: options.allowHttp === true,
    denyPrivateIps: options.denyPrivateIps !== false,
    allowCidrs: options.allowCidrs ?? []
  }
  if (!policy.denyPrivateIps) return { url: checkUrlForm(text, policy), addresses: [] }
  const guard = new UrlGuard(policy, lookup)
  const late = () => new SsrfError('resolver')
  return withTimeout(deadlineMs, clock, () => guard.check(text), late)
}
