/**
 * What a caller may call now, as the firewall and the jury say it: a route is listed if a call would pass its zone and its
 * guard. What depends on an argument, such as whose row it names, is decided when it is called. Nothing is recorded.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AccessToken, currentOrganization, decoratorOf } from 'svc-kernel'
import { asksOrganization } from 'svc-kernel/plugin'
import type { ServedRoute } from '../tools/tool.ts'

/** What is read of `fastify.firewall`; an application without svc-security has no identities, and no guard passes. */
interface IdentitiesPort {
  identityAt(
    config: ServedRoute['config'],
    opener: FastifyRequest
  ): { readonly token: AccessToken | null; readonly refused: boolean }
}

export class CallableRoutes {
  readonly #fastify: FastifyInstance
  readonly #identities: IdentitiesPort | null

  constructor(fastify: FastifyInstance) {
    this.#fastify = fastify
    this.#identities = decoratorOf(fastify as unknown as { firewall: IdentitiesPort }, 'firewall')
  }

  async of<Served extends ServedRoute>(request: FastifyRequest, served: readonly Served[]): Promise<Served[]> {
    const asked = new Map<string, Promise<boolean>>()
    const verdicts = await Promise.all(served.map((each) => this.#mayCall(request, each, asked)))
    return served.filter((_, index) => verdicts[index])
  }

  async #mayCall(
    request: FastifyRequest,
    { config, requirement }: ServedRoute,
    asked: Map<string, Promise<boolean>>
  ): Promise<boolean> {
    const { token, refused } = this.#identities?.identityAt(config, request) ?? { token: null, refused: false }
    if (refused) return false
    if (requirement === null) return true
    if (token === null || requirement.length === 0) return false
    const granted = (attribute: string): Promise<boolean> => {
      // Many tools share a role: each attribute is asked once per list.
      const key = `${token === request.token} ${attribute}`
      const known = asked.get(key) ?? this.#fastify.jury.explain(token, attribute).then((verdict) => verdict.granted)
      asked.set(key, known)
      return known
    }
    for (const clause of requirement) {
      const passes = await Promise.all(
        clause.map(async ({ attribute, subject }) => isOfCall(attribute, subject) || granted(attribute))
      )
      if (!passes.includes(true)) return false
    }
    return true
  }
}

/** Whether only a call says what its guard is about: whose row it is, or which organisation. */
function isOfCall(attribute: string, subject: string | undefined): boolean {
  return subject !== undefined || (asksOrganization(attribute) && currentOrganization() === null)
}
