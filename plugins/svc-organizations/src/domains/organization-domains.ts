/**
 * Domains that an organisation has proven by a TXT record. What DNS does not answer proves nothing; of a domain that was
 * proven, an outage changes nothing, and a record that is gone ends the proof. A proven domain may require its provider.
 */
import { randomBytes } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { randomId, readableError } from 'svc-kernel/plugin'
import { DuplicateRecord } from 'svc-stores'
import {
  DomainClaimed,
  DomainLookupFailed,
  DomainNotFound,
  DomainNotProven,
  InvalidDomain,
  UnknownProvider
} from '../errors.ts'
import type { OrganizationsConfig, TxtResolver } from '../options.ts'
import type { OrganizationParts } from '../organization-parts.ts'
import type { DomainRecord } from '../records/domain-store.ts'

/** A domain as lists show it. Times are epoch ms. */
export interface DomainView {
  readonly id: string
  readonly domain: string
  readonly verified: boolean
  readonly checkedAt: number | null
  readonly provider: string | null
  /** The TXT record that proves it. */
  readonly record: { readonly name: string; readonly value: string }
}

const HOUR_MS = 3_600_000
const CHECKED_AT_ONCE = 100
const LABELS = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/
/** Answers that say that there is no such record. */
const ABSENT = ['ENOTFOUND', 'ENODATA']

export interface DomainParts extends OrganizationParts {
  readonly section: NonNullable<OrganizationsConfig['domains']>
  readonly resolve: TxtResolver
}

export class OrganizationDomains {
  readonly #parts: DomainParts

  constructor(parts: DomainParts) {
    this.#parts = parts
  }

  /** @throws InvalidDomain (400), DomainClaimed (409) */
  async claim(organizationId: string, given: string): Promise<DomainView> {
    const domain = domainToASCII(given.trim().toLowerCase())
    if (!LABELS.test(domain)) throw new InvalidDomain()
    const record: DomainRecord = {
      id: randomId('dom'),
      organizationId,
      domain,
      token: randomBytes(24).toString('base64url'),
      verified: null,
      checkedAt: null,
      provider: null,
      createdAt: this.#parts.clock.now()
    }
    await unlessTaken(this.#parts.stores.organizationDomains.create(record))
    this.#parts.audit('organization.domain_claimed', organizationId, { domain })
    return shown(record)
  }

  async list(organizationId: string): Promise<readonly DomainView[]> {
    return (await this.#parts.stores.organizationDomains.list(organizationId)).map(shown)
  }

  /** @throws DomainNotFound (404), DomainNotProven, DomainClaimed (409), DomainLookupFailed (503) */
  async verify(organizationId: string, id: string): Promise<DomainView> {
    const { stores, clock, audit } = this.#parts
    const record = await this.#find(organizationId, id)
    const found = await this.#isThere(record)
    if (found === null) throw new DomainLookupFailed()
    if (!found) {
      await this.#end(record)
      throw new DomainNotProven()
    }
    const proven = { verified: record.domain, checkedAt: clock.now() }
    const after = await unlessTaken(stores.organizationDomains.change(id, proven))
    if (after === null) throw new DomainNotFound()
    audit('organization.domain_verified', organizationId, { domain: record.domain })
    return shown(after)
  }

  /** @param provider `null`: any way in @throws DomainNotFound (404), DomainNotProven (409), UnknownProvider (400) */
  async require(organizationId: string, id: string, provider: string | null): Promise<DomainView> {
    const { stores, section, audit } = this.#parts
    const record = await this.#find(organizationId, id)
    if (record.verified === null) throw new DomainNotProven()
    if (provider !== null && !section.providers.includes(provider)) {
      throw new UnknownProvider(provider, section.providers.join(', ') || 'none')
    }
    const after = await stores.organizationDomains.change(id, { provider })
    if (after === null) throw new DomainNotFound()
    audit('organization.domain_provider', organizationId, { domain: record.domain, provider })
    return shown(after)
  }

  /** @throws DomainNotFound (404) */
  async remove(organizationId: string, id: string): Promise<void> {
    const { domain } = await this.#find(organizationId, id)
    if (!(await this.#parts.stores.organizationDomains.remove(organizationId, id))) throw new DomainNotFound()
    this.#parts.audit('organization.domain_removed', organizationId, { domain })
  }

  /** The provider at which addresses of this domain have to sign in, whoever has an account; `null` for none. */
  async providerOf(identifier: string): Promise<string | null> {
    const domain = domainOf(identifier)
    if (domain === null) return null
    return (await this.#parts.stores.organizationDomains.findVerified(domain))?.provider ?? null
  }

  /** Checks those again whose last check is too long ago. @returns how many are proven no more */
  async recheck(): Promise<number> {
    const { stores, clock, section, log } = this.#parts
    const due = await stores.organizationDomains.unchecked(
      clock.now() - section.recheckHours * HOUR_MS,
      CHECKED_AT_ONCE
    )
    let ended = 0
    for (const record of due) {
      const found = await this.#isThere(record)
      if (found === null) {
        log.warn({ domain: record.domain }, 'the TXT record of a domain could not be looked up, and its proof goes on')
      } else if (found) await stores.organizationDomains.change(record.id, { checkedAt: clock.now() })
      else {
        ended += 1
        await this.#end(record)
      }
    }
    return ended
  }

  async #find(organizationId: string, id: string): Promise<DomainRecord> {
    const record = await this.#parts.stores.organizationDomains.find(organizationId, id)
    if (record === null) throw new DomainNotFound()
    return record
  }

  async #end({ id, organizationId, domain, verified }: DomainRecord): Promise<void> {
    if (verified === null) return
    await this.#parts.stores.organizationDomains.change(id, { verified: null, checkedAt: null, provider: null })
    this.#parts.audit('organization.domain_lost', organizationId, { domain })
  }

  /** @returns `null` where DNS does not say */
  async #isThere({ domain, token }: DomainRecord): Promise<boolean | null> {
    const { name, value } = recordOf(domain, token)
    try {
      const records = await this.#parts.resolve(name)
      return records.some((parts) => parts.join('') === value)
    } catch (error) {
      return ABSENT.includes(readableError(error).code ?? '') ? false : null
    }
  }
}

/** The domain of an address that is a login name, as domains are stored; `null` for any other name. */
export function domainOf(identifier: string): string | null {
  const at = identifier.lastIndexOf('@')
  if (at < 1) return null
  const domain = domainToASCII(identifier.slice(at + 1).toLowerCase())
  return domain === '' ? null : domain
}

function recordOf(domain: string, token: string) {
  return { name: `_svc-organization.${domain}`, value: `svc-organization=${token}` }
}

function shown({ id, domain, verified, checkedAt, provider, token }: DomainRecord): DomainView {
  return { id, domain, verified: verified !== null, checkedAt, provider, record: recordOf(domain, token) }
}

async function unlessTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof DuplicateRecord ? new DomainClaimed() : error
  }
}
