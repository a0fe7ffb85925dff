/**
 * The guard against requests into the internal network. A URL passes when its form does and every address of its host
 * does. Whoever connects must connect to the addresses given here and to no other: the name may lead elsewhere by then.
 */
import { type Clock, systemClock, withTimeout } from 'svc-kernel'
import {
  type AddressPolicy,
  addressPolicy,
  type CanonicalAddress,
  canonicalAddress,
  type SsrfPolicy
} from './address-policy.ts'
import { type Lookup, lookupFailure, type ResolvedAddress, systemLookup } from './lookup.ts'
import { SsrfError } from './ssrf-error.ts'

export interface CheckedTarget {
  /** Normal form: what is stored and called is `url.href`. */
  readonly url: URL
  /** All addresses of the host, checked, in the resolver's order. */
  readonly addresses: readonly CanonicalAddress[]
}

/** What stands between scheme and path. The parser reads a backslash as a slash, and any number of them. */
const AUTHORITY = /^[^:/\\?#]*:[/\\]*([^/\\?#]*)/

/**
 * Checks form, scheme and credentials of a URL, before its host is resolved. The text is checked as well: the URL parser
 * silently drops control characters and an empty `:@`.
 *
 * @returns the URL in its normal form: what is shown, checked and called is one string, its `href`
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

  /** Takes as long as the look-up of the name does. @throws SsrfError */
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

  /** @param found from a look-up that an application may have written: not trusted to be of its type */
  #judge(found: ResolvedAddress | null | undefined): CanonicalAddress {
    const canonical = canonicalAddress(String(found?.address))
    if (canonical === null || !this.#allows(canonical)) throw new SsrfError('address')
    return canonical
  }
}

/** Strict by default: `https:` only, no internal address. */
export interface UrlCheckOptions extends Partial<SsrfPolicy> {
  /** How names are resolved. Default: as the system does. */
  readonly lookup?: Lookup | undefined
  /** How long a name may take, in milliseconds. Default 5000. */
  readonly deadlineMs?: number | undefined
  readonly clock?: Clock | undefined
}

/**
 * Checks a URL when it is registered. Before each delivery the transport checks again.
 *
 * @returns the URL in its normal form and the checked addresses; none where `denyPrivateIps` is false, as the name is
 * not looked up then
 * @throws SsrfError (422, SVC_WEBHOOKS_URL_REFUSED), whose `reason` is one of a closed list. What cannot be decided is
 * refused: no such name, a resolver that fails, does not answer in time or answers rubbish.
 * @throws InvalidCidr (SVC_WEBHOOKS_BAD_CIDR) for an entry of `allowCidrs` that is not a network
 */
export async function assertUrlAllowed(given: string | URL, options: UrlCheckOptions = {}): Promise<CheckedTarget> {
  const text = given instanceof URL ? given.href : given
  const { lookup = systemLookup, deadlineMs = 5000, clock = systemClock } = options
  // Only an explicit boolean opens something: plain JavaScript may hand over undefined or null.
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
