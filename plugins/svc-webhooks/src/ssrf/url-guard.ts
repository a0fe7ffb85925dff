/**
 * The guard against requests into the internal network. A URL passes when its
 * form does and every address of its host does; one that does not is enough to
 * refuse. Who connects must connect to the addresses given here and to no
 * other, or the name may lead elsewhere by then.
 */
import { type AddressPolicy, addressPolicy } from './address-policy.ts'
import { type CanonicalAddress, canonicalAddress } from './canonical-address.ts'
import { judgeUrl } from './judge-url.ts'
import { lookupFailure } from './lookup-failure.ts'
import { SsrfError } from './ssrf-error.ts'
import type { Lookup, ResolvedAddress, SsrfPolicy } from './ssrf-policy.ts'

export interface CheckedTarget {
  /** Normal form: what is stored and called is `url.href`. */
  readonly url: URL
  /** All addresses of the host, checked, in the resolver's order. */
  readonly addresses: readonly CanonicalAddress[]
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
    const url = judgeUrl(text, this.#policy)
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
