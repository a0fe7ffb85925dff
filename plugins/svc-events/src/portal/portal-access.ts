/**
 * Who may use the portal: the zone of its API takes the bearer of a portal session and nothing else, and no other zone takes
 * that bearer. The voter grants it the one attribute of the portal, while its organisation is active.
 */
import type { FastifyInstance } from 'fastify'
import { type AccessToken, BootError, createAccessToken, decoratorOf } from 'svc-kernel'
import type { AccessVoter, Authenticator, Firewall, Jury } from 'svc-security'
import type { Organizations } from '../access/organizations.ts'
import { bearerOf, type Portal } from './portal.ts'

/** What every route of the portal asks for. */
export const PORTAL = 'EVENTS_PORTAL'

/** Of the zone, the authenticator and the tokens. */
const NAME = 'events-portal'

/** The organisation of a portal session; `null` for every other credential. */
export function organizationOfPortal(token: AccessToken | null): string | null {
  return token?.type === NAME && typeof token.tenantId === 'string' ? token.tenantId : null
}

/** @param path below which everything is the portal's API @throws BootError where svc-security is missing */
export function admitPortal(
  fastify: FastifyInstance,
  path: string,
  portal: Portal,
  organizations: Organizations
): void {
  const firewall = decoratorOf(fastify as { readonly firewall: Firewall }, 'firewall')
  const jury = decoratorOf(fastify as unknown as { readonly jury: Jury }, 'jury')
  if (firewall === null || jury === null) throw closed()
  firewall.addZone({
    name: NAME,
    // Of what a path may have, the dot alone means something in a pattern.
    pattern: `^${path.replaceAll('.', '\\.')}(?:/|$)`,
    authenticator: authenticator(portal)
  })
  jury.add(voter(organizations))
}

function authenticator(portal: Portal): Authenticator<string> {
  return {
    tokenType: NAME,
    carrier: 'authorization',
    subject: 'machine',
    supports: ({ headers }) => bearerOf(headers.authorization) !== null,
    createToken: ({ headers }) => bearerOf(headers.authorization) ?? '',
    authenticate: async (secret) => {
      const session = await portal.session(secret)
      if (session?.subject == null) throw new Error('the portal session is unknown or over')
      const { subject: tenantId, expiresAt } = session
      return createAccessToken({ type: NAME, user: { identifier: `${NAME}:${tenantId}` }, tenantId, expiresAt })
    },
    challenge: () => 'Bearer'
  }
}

function voter(organizations: Organizations): AccessVoter {
  return {
    name: NAME,
    supports: (attribute) => attribute === PORTAL,
    vote: async (token) => {
      const organization = organizationOfPortal(token)
      if (organization === null) return { vote: 'ABSTAIN', reason: 'the credential is no session of the portal' }
      const state = await organizations.state(organization)
      if (state === 'active') return { vote: 'GRANT', reason: `a portal session of ${organization}` }
      return { vote: 'ABSTAIN', reason: `the organisation ${organization} is ${state ?? 'gone'}` }
    }
  }
}

function closed(): BootError {
  return new BootError([
    {
      code: 'SVC_EVENTS_PORTAL_CLOSED',
      message: 'the portal needs svc-security, which says who may use it',
      at: 'svc-events.portal',
      got: 'no svc-security before svc-events',
      expected: 'svc-security before svc-events',
      fix: 'register svc-security before svc-events, or remove portal',
      more: 'npx svc docs events-for-customers'
    }
  ])
}
