/** What svc-events asks about organisations, which another package or the application keeps. */
import type { FastifyRequest } from 'fastify'
import { OrganizationSuspended, UnknownOrganization } from '../errors.ts'

type Maybe<T> = T | Promise<T>

/** `active`, `suspended`, or `null` for one that does not exist, any more or yet. */
export type OrganizationState = 'active' | 'suspended' | null

/** How an application tells svc-events about its organisations. */
export interface OrganizationsPort {
  /**
   * The organisation of a request, which its guard has let through; `null` for none. Default: the parameter
   * `:organization` of `path`.
   */
  of?(request: FastifyRequest): Maybe<string | null>
  /** Asked when an event is emitted, when it is handed on, and before each attempt of a delivery. Default: `active`. */
  state?(organization: string): Maybe<OrganizationState>
}

/** Safe in paths, names of channels and lanes. */
const ID = /^[A-Za-z0-9._:~-]{1,200}$/

export class Organizations {
  readonly #port: OrganizationsPort

  constructor(port: OrganizationsPort) {
    this.#port = port
  }

  /** @throws UnknownOrganization (404) for what is no identifier */
  check(organization: unknown): string {
    if (typeof organization !== 'string' || !ID.test(organization)) throw new UnknownOrganization()
    return organization
  }

  async state(organization: string): Promise<OrganizationState> {
    const { state } = this.#port
    return state === undefined ? 'active' : state.call(this.#port, organization)
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
    const organization = this.check(of === undefined ? named : await of.call(this.#port, request))
    const state = await this.state(organization)
    if (state === null) throw new UnknownOrganization()
    if (state === 'suspended') throw new OrganizationSuspended()
    return organization
  }
}
