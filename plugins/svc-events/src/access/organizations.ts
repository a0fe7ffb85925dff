/** What svc-events asks about organisations, which another package or the application keeps. */
import type { FastifyRequest } from 'fastify'
import { OrganizationSuspended, UnknownOrganization } from '../errors.ts'

type Maybe<T> = T | Promise<T>

/** `active`, `suspended`, or `null` for one that does not exist, any more or yet. */
export type OrganizationState = 'active' | 'suspended' | null

/** How an application tells svc-events about its organisations. */
export interface OrganizationsPort {
  /**
   * The organisation of a request, which its guard has let through; `null` for none. Default: that of svc-organizations, and
   * without it the parameter `:organization` of `path`.
   */
  of?(request: FastifyRequest): Maybe<string | null>
  /**
   * Asked when an event is emitted, when it is handed on, and before each attempt of a delivery. Default: as
   * svc-organizations says, and without it `active`.
   */
  state?(organization: string): Maybe<OrganizationState>
}

/** `fastify.organizations`, as far as events ask it. */
export interface RegisteredOrganizations {
  find(name: string): Promise<{ readonly id: string; readonly state: string } | null>
  /** Parts of their data, which are exported before a deletion and removed with it. */
  describe(name: string, part: OrganizationData): void
}

interface OrganizationData {
  export(organization: { readonly id: string }): Promise<unknown>
  erase(organization: { readonly id: string }): Promise<void>
}

/** Safe in paths, names of channels and lanes. */
const ID = /^[A-Za-z0-9._:~-]{1,200}$/

export class Organizations {
  readonly #port: OrganizationsPort
  readonly #registered: () => RegisteredOrganizations | null

  /** @param registered asked with each call: svc-organizations may come later */
  constructor(port: OrganizationsPort, registered: () => RegisteredOrganizations | null) {
    this.#port = port
    this.#registered = registered
  }

  /** The same organisations; another thing says which one a request is of. */
  namedBy(of: NonNullable<OrganizationsPort['of']>): Organizations {
    return new Organizations({ state: (organization) => this.state(organization), of }, this.#registered)
  }

  /** @throws UnknownOrganization (404) for what is no identifier */
  check(organization: unknown): string {
    if (typeof organization !== 'string' || !ID.test(organization)) throw new UnknownOrganization()
    return organization
  }

  async state(organization: string): Promise<OrganizationState> {
    const { state } = this.#port
    if (state !== undefined) return state.call(this.#port, organization)
    const registered = this.#registered()
    if (registered === null) return 'active'
    const found = await registered.find(organization)
    // A slug finds it too; events have its id, which nobody else gets later.
    if (found?.id !== organization) return null
    return found.state === 'active' ? 'active' : 'suspended'
  }

  /** @throws UnknownOrganization (404) */
  async known(given: unknown): Promise<string> {
    const organization = this.check(given)
    if ((await this.state(organization)) === null) throw new UnknownOrganization()
    return organization
  }

  /** That of a request. @throws UnknownOrganization (404), OrganizationSuspended (403) */
  async of(request: FastifyRequest): Promise<string> {
    const { of } = this.#port
    const named = (request.params as { readonly organization?: string } | undefined)?.organization
    const usual = request.organization ?? named
    const organization = this.check(of === undefined ? usual : await of.call(this.#port, request))
    const state = await this.state(organization)
    if (state === null) throw new UnknownOrganization()
    if (state === 'suspended') throw new OrganizationSuspended()
    return organization
  }
}
