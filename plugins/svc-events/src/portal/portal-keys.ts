/** The keys of an organisation, as svc-organizations keeps them. A key made in the portal has at most the permissions that the options list. */
import type { FastifyInstance } from 'fastify'
import { BootError, decoratorOf } from 'svc-kernel'
import type { FromSchema } from 'svc-kernel/schemas'
import type * as answers from '../answers.ts'

type KeyView = FromSchema<typeof answers.newKey>['key']

/** The key to be made. */
export interface NewKey {
  readonly name: string
  readonly permissions: readonly string[]
  /** `null`: never. */
  readonly expiresInDays: number | null
}

/** `fastify.organizations.keys`. */
interface KeysPort {
  list(organization: string): Promise<readonly KeyView[]>
  create(
    organization: string,
    key: NewKey,
    own: { readonly owner: boolean; readonly permissions: ReadonlySet<string> }
  ): Promise<{ readonly key: KeyView; readonly token: string }>
  revoke(organization: string, key: string): Promise<void>
}

/** What of svc-organizations the portal reads: it may be registered later. */
interface OrganizationsView {
  readonly keys: KeysPort | null
}

export class PortalKeys {
  readonly permissions: readonly string[]
  readonly #fastify: FastifyInstance

  constructor(fastify: FastifyInstance, permissions: readonly string[]) {
    this.permissions = permissions
    this.#fastify = fastify
    fastify.addHook('onReady', async () => {
      if (this.#port === null) throw noKeys(permissions)
    })
  }

  list(organization: string): Promise<readonly KeyView[]> {
    return this.#keys.list(organization)
  }

  create(organization: string, key: NewKey): Promise<{ readonly key: KeyView; readonly token: string }> {
    return this.#keys.create(organization, key, { owner: false, permissions: new Set(this.permissions) })
  }

  revoke(organization: string, key: string): Promise<void> {
    return this.#keys.revoke(organization, key)
  }

  get #port(): KeysPort | null {
    const view = decoratorOf(this.#fastify as unknown as { readonly organizations: OrganizationsView }, 'organizations')
    return view?.keys ?? null
  }

  get #keys(): KeysPort {
    const port = this.#port
    if (port === null) throw noKeys(this.permissions)
    return port
  }
}

function noKeys(permissions: readonly string[]): BootError {
  return new BootError([
    {
      code: 'SVC_EVENTS_PORTAL_KEYS',
      message: 'the portal is to make keys of organisations, and there are none',
      at: 'svc-events.portal.keys',
      got: JSON.stringify(permissions),
      expected: 'svc-organizations with the section keys',
      fix: 'give svc-organizations the section keys, or remove portal.keys',
      more: 'npx svc docs events-for-customers'
    }
  ])
}
