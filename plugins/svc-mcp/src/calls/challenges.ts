/**
 * Refusals that a client ends by itself, with a token of more scopes or of a stronger login: they are answers of HTTP with
 * `WWW-Authenticate`, as a client reads no challenge in the result of a tool. What no other token would change stays a result.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isMachine } from 'svc-kernel/plugin'
import type { ServedRoute } from '../tools/tool.ts'
import type { RouteAnswer } from './dispatch.ts'

/** An answer of HTTP: the client is to get another token, and to call again. */
export interface Challenge {
  readonly status: 401 | 403
  /** `WWW-Authenticate`. */
  readonly header: string
  /** The error body of the route. */
  readonly body: string
}

const STEP_UP = /\berror="insufficient_user_authentication"/

export class Challenges {
  readonly #fastify: FastifyInstance
  /** Parameter of each challenge; `null` where the endpoint has no metadata. */
  readonly #metadata: string | null

  constructor(fastify: FastifyInstance, metadataUrl: string | null) {
    this.#fastify = fastify
    this.#metadata = metadataUrl === null ? null : `resource_metadata="${metadataUrl}"`
  }

  /** `Bearer` and the metadata, or a challenge of the firewall with the metadata. */
  withMetadata(challenge: string): string {
    if (this.#metadata === null) return challenge
    return `${challenge}${/^\S+$/.test(challenge) ? ' ' : ', '}${this.#metadata}`
  }

  /** @param answer 401 or 403 */
  async of(
    request: FastifyRequest,
    served: ServedRoute,
    { status, headers, body }: RouteAnswer
  ): Promise<Challenge | null> {
    const given = String(headers['www-authenticate'] ?? '')
    if (status === 401 && STEP_UP.test(given)) {
      return { status, header: this.withMetadata(given), body: body.toString() }
    }
    const scopes = status === 403 ? await this.#missingScopes(request, served) : null
    if (scopes === null) return null
    const header = this.withMetadata(`Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`)
    return { status: 403, header, body: body.toString() }
  }

  /** All scopes of the route, where nothing but scopes is missing. */
  async #missingScopes({ token }: FastifyRequest, { requirement }: ServedRoute): Promise<readonly string[] | null> {
    if (token === null || !isMachine(token) || requirement === null) return null
    const scopes = requirement.flatMap((clause) => clause.map(({ attribute }) => attribute).filter(isScope))
    let lacking = false
    for (const clause of requirement) {
      const verdicts = await Promise.all(
        clause.map(({ attribute, subject }) =>
          subject === undefined ? this.#fastify.jury.explain(token, attribute) : null
        )
      )
      if (verdicts.some((verdict) => verdict?.granted)) continue
      if (!clause.some(({ attribute, subject }) => subject === undefined && isScope(attribute))) return null
      lacking = true
    }
    return lacking ? scopes : null
  }
}

/** As scopes are told from roles; and a scope of RFC 6749, which a header can carry. */
export function isScope(attribute: string): boolean {
  return attribute.includes(':') && !attribute.startsWith('ROLE_') && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(attribute)
}
