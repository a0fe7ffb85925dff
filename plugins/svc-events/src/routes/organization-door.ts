/** The door of an organisation: its guard, the CSRF guard before changes, and a registry that holds nothing of another one. */
import type { FastifyInstance, FastifySchema, preHandlerHookHandler } from 'fastify'
import { decoratorOf, guardHooks, type Requirement } from 'svc-kernel'
import { type GatesPort, routeSecurity, strictQuery } from 'svc-kernel/plugin'
import { type DoorOptions, type RegistryDoor, refuseKeys, StoreTimeout, WebhooksUnavailable } from 'svc-webhooks/parts'
import type { Organizations } from '../access/organizations.ts'
import { EventsUnavailable, OrganizationSuspended, TooManyEndpoints, UnknownOrganization } from '../errors.ts'
import type { Events } from '../events.ts'
import type { EventsConfig } from '../options.ts'

export interface DoorParts {
  readonly config: Pick<EventsConfig, 'path' | 'requires'>
  readonly events: Events
  readonly organizations: Organizations
  /** `null` where svc-security keeps no accounts. */
  readonly gates: GatesPort | null
  /** Of its routes; default `svc.events`. */
  readonly name?: string
  /** Routes of a page are no part of a description of the API. */
  readonly hidden?: true
}

const PARAMETER = 'organization'

/** Whether the path of the routes names the organisation. */
export function namesOrganization(path: string): boolean {
  return path.split('/').includes(`:${PARAMETER}`)
}

export class OrganizationDoor implements RegistryDoor {
  readonly base: string
  readonly #parts: DoorParts
  readonly #requirement: Requirement

  constructor(parts: DoorParts) {
    const { path, requires: attribute } = parts.config
    this.#parts = parts
    this.base = `${path}/webhooks`
    this.#requirement = [[namesOrganization(path) ? { attribute, subject: PARAMETER } : { attribute }]]
  }

  reading(name: string, known: readonly string[] = []): DoorOptions {
    return { ...guardHooks(this.#requirement), ...this.#config(name), preValidation: strictQuery(known) }
  }

  changing(name: string): DoorOptions {
    const { preParsing, preHandler } = guardHooks(this.#requirement)
    const { gates } = this.#parts
    const route = { ...this.#config(name), preValidation: strictQuery([]) }
    if (gates === null) return { ...route, preParsing, preHandler: [preHandler, refuseKeys as preHandlerHookHandler] }
    const { csrf, idempotency } = gates
    return {
      ...route,
      preParsing: [preParsing, csrf],
      preHandler: [preHandler, idempotency.preHandler],
      onSend: idempotency.onSend
    }
  }

  described(summary: string, schema: FastifySchema): FastifySchema {
    const own = [UnknownOrganization, OrganizationSuspended, TooManyEndpoints]
    const errors = [...(schema.errors ?? []), ...own, EventsUnavailable, WebhooksUnavailable, StoreTimeout]
    const besides = { tags: ['events'], summary, ...(this.#parts.hidden === true ? { hide: true } : {}) }
    return { ...schema, ...this.#params(schema), errors, ...besides }
  }

  async registry(request: Parameters<Organizations['of']>[0]) {
    return this.#parts.events.endpoints(await this.#parts.organizations.of(request))
  }

  #config(name: string) {
    const svc = routeSecurity(`${this.#parts.name ?? 'svc.events'}.${name}`, { requirement: this.#requirement })
    // The session of a portal belongs to an organisation by itself, whatever a header names.
    return { config: this.#parts.hidden === true ? { svc, organization: false } : { svc } }
  }

  /** A schema of parameters that names some has to name all. */
  #params({ params }: FastifySchema): { readonly params?: object } {
    if (!namesOrganization(this.#parts.config.path)) return {}
    const {
      properties = {},
      required = [],
      ...rest
    } = (params ?? { type: 'object' }) as {
      readonly properties?: object
      readonly required?: readonly string[]
    }
    const named = { [PARAMETER]: { type: 'string', maxLength: 200 }, ...properties }
    return { params: { ...rest, properties: named, required: [PARAMETER, ...required] } }
  }
}

/** Whether svc-security came too late for the CSRF guard of the routes. */
export function hasLateGates(fastify: FastifyInstance, gates: GatesPort | null): boolean {
  return gates === null && decoratorOf(fastify, 'gates') !== null
}
