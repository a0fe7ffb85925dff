/** Domains of an organisation; and for sign-in pages, the provider that a domain requires. */
import type { FastifyInstance } from 'fastify'
import { closed, object, textUpTo } from 'svc-kernel/schemas'
import type { OrganizationDomains } from '../domains/organization-domains.ts'
import {
  DomainClaimed,
  DomainLookupFailed,
  DomainNotFound,
  DomainNotProven,
  InvalidDomain,
  UnknownProvider
} from '../errors.ts'
import * as answers from './answers.ts'
import { REFUSALS } from './organizations.routes.ts'
import {
  byId,
  memberRoute,
  ORGANIZATIONS_API,
  openRoute,
  organizationOf,
  organizationsApi
} from './organizations-api.ts'

export function domainRoutes(fastify: FastifyInstance, domains: OrganizationDomains, path: string): void {
  const all = `${ORGANIZATIONS_API}/:${path}/domains`
  const here = object({ [path]: byId })
  const byDomain = object({ [path]: byId, domain: byId })
  interface One {
    readonly Params: { readonly domain: string }
  }
  organizationsApi(fastify, (scope) => {
    scope.get<{ Querystring: { readonly address: string } }>(
      `${ORGANIZATIONS_API}/sign-in`,
      openRoute('sign-in', {
        summary: 'The provider at which addresses of a domain have to sign in, whoever has an account',
        query: ['address'],
        schema: { querystring: closed({ address: textUpTo(320) }), response: { 200: answers.signIn } }
      }),
      async ({ query }) => ({ provider: await domains.providerOf(query.address) })
    )
    scope.get(
      all,
      memberRoute('domains', 'domains', {
        summary: 'Domains of the organisation, and the TXT records that prove them',
        schema: { params: here, response: { 200: answers.domains }, errors: REFUSALS }
      }),
      async (request) => ({ domains: await domains.list(organizationOf(request).organization.id) })
    )
    scope.post<{ Body: { readonly domain: string } }>(
      all,
      memberRoute('domains.claim', 'domains', {
        summary: 'Claims a domain; the answer says which TXT record proves it',
        schema: {
          params: here,
          body: closed({ domain: textUpTo(253) }),
          response: { 201: answers.domain },
          errors: [...REFUSALS, InvalidDomain, DomainClaimed]
        }
      }),
      async (request, reply) => {
        return reply.code(201).send(await domains.claim(organizationOf(request).organization.id, request.body.domain))
      }
    )
    scope.post<One>(
      `${all}/:domain/verify`,
      memberRoute('domains.verify', 'domains', {
        summary: 'Looks the TXT record up',
        schema: {
          params: byDomain,
          response: { 200: answers.domain },
          errors: [...REFUSALS, DomainNotFound, DomainNotProven, DomainClaimed, DomainLookupFailed]
        }
      }),
      async (request) => domains.verify(organizationOf(request).organization.id, request.params.domain)
    )
    scope.patch<One & { readonly Body: { readonly provider: string | null } }>(
      `${all}/:domain`,
      memberRoute('domains.provider', 'domains', {
        summary: 'Requires a provider for addresses of the domain, or none',
        schema: {
          params: byDomain,
          body: closed({ provider: { type: ['string', 'null'], minLength: 1, maxLength: 60 } }),
          response: { 200: answers.domain },
          errors: [...REFUSALS, DomainNotFound, DomainNotProven, UnknownProvider]
        }
      }),
      async (request) => {
        const { id } = organizationOf(request).organization
        return domains.require(id, request.params.domain, request.body.provider)
      }
    )
    scope.delete<One>(
      `${all}/:domain`,
      memberRoute('domains.remove', 'domains', {
        summary: 'Gives a domain up',
        schema: { params: byDomain, response: { 200: answers.done }, errors: [...REFUSALS, DomainNotFound] }
      }),
      async (request) => {
        await domains.remove(organizationOf(request).organization.id, request.params.domain)
        return { ok: true }
      }
    )
  })
}
