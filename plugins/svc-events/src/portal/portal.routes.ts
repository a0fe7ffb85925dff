/**
 * The routes of the portal: its page and files, which hold nothing of anybody; the session, which a link opens; and behind
 * the session, what the page shows. The endpoints are the same routes that the organisation has, over its one registry.
 */
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { appHost } from 'svc-kernel'
import { type ByFile, WebBuild } from 'svc-kernel/pages'
import { type GatesPort, routeSecurity, strictQuery } from 'svc-kernel/plugin'
import { closed, object, textUpTo } from 'svc-kernel/schemas'
import { adminScope, deliveriesRoutes, endpointsRoutes } from 'svc-webhooks/parts'
import type { Organizations } from '../access/organizations.ts'
import * as answers from '../answers.ts'
import { InvalidPortalLink, PortalNotBuilt } from '../errors.ts'
import type { Events } from '../events.ts'
import type { EventsConfig } from '../options.ts'
import { typesRoute } from '../routes/journal.routes.ts'
import { OrganizationDoor } from '../routes/organization-door.ts'
import { portalApi } from './open-portal.ts'
import { pageHeaders, portalDocument } from './page-document.ts'
import { bearerOf, lookOf, type Portal, type PortalConfig } from './portal.ts'
import { organizationOfPortal, PORTAL } from './portal-access.ts'
import { type NewKey, PortalKeys } from './portal-keys.ts'
import type { PortalToken } from './portal-tokens.ts'
import type { PortalCatalogue } from './texts.ts'

const BUILT = fileURLToPath(new URL('../../portal/', import.meta.url))

export interface PortalRoutesParts {
  readonly config: EventsConfig & { readonly portal: PortalConfig }
  readonly portal: Portal
  readonly events: Events
  readonly organizations: Organizations
  readonly gates: GatesPort | null
  readonly texts: PortalCatalogue
}

const ROUTE = 'svc.events.portal'
const HIDDEN = { hide: true }

/** @throws PortalNotBuilt */
export function portalRoutes(fastify: FastifyInstance, parts: PortalRoutesParts): void {
  pageRoutes(fastify, parts)
  const { config, portal, events, gates } = parts
  const path = portalApi(config.portal.path)
  const organizations = parts.organizations.namedBy(({ token }) => organizationOfPortal(token))
  const door = new OrganizationDoor({
    config: { path, requires: PORTAL },
    events,
    organizations,
    gates,
    name: ROUTE,
    hidden: true
  })
  const keys = config.portal.keys === undefined ? null : new PortalKeys(fastify, config.portal.keys)
  adminScope(fastify, (scope) => {
    sessionRoutes(scope, { path, door, portal, keys, texts: parts.texts })
    typesRoute(scope, { path, door, events, organizations })
    if (config.webhooks) {
      endpointsRoutes(scope, door)
      deliveriesRoutes(scope, door)
    }
    if (keys !== null) keyRoutes(scope, { path, door, organizations, keys })
  })
}

function pageRoutes(fastify: FastifyInstance, { config: { portal: config }, texts }: PortalRoutesParts): void {
  const build = new WebBuild(BUILT, PortalNotBuilt)
  const entry = build.entry('portal.tsx')
  const headers = pageHeaders(config.frameAncestors)
  const application = fastify.hasDecorator('appHost') ? appHost(fastify).name : null
  const open = (name: string) => ({
    config: { svc: routeSecurity(`${ROUTE}.${name}`, { bypassFirewall: true }) },
    schema: HIDDEN as object
  })
  fastify.get(config.path, open('page'), (request, reply) => {
    const { locale, texts: said } = texts.preferred(request.headers['accept-language'], config.locale)
    const page = { base: config.path, application, locale, texts: said }
    reply.headers(headers).headers({ 'cache-control': 'no-store', vary: 'accept-language' })
    return reply.type('text/html; charset=utf-8').send(portalDocument(entry, `${config.path}/files`, page))
  })
  fastify.get<ByFile>(`${config.path}/files/:file`, open('file'), (request, reply) => {
    return build.send(entry, request, reply.headers(headers))
  })
}

interface SessionParts {
  readonly path: string
  readonly door: OrganizationDoor
  readonly portal: Portal
  readonly keys: PortalKeys | null
  readonly texts: PortalCatalogue
}

function sessionRoutes(fastify: FastifyInstance, { path, door, portal, keys, texts }: SessionParts): void {
  const url = `${path}/session`
  const viewOf = (session: PortalToken) => {
    const look = lookOf(session)
    const { subject, expiresAt } = session
    const permissions = keys === null ? null : keys.permissions
    return { organization: subject, expiresAt, ...look, texts: texts.of(look.locale), keys: permissions }
  }
  // A link is proof enough, and the only one: who holds it is nobody yet.
  fastify.post<{ Body: { readonly secret: string } }>(
    url,
    {
      config: {
        svc: routeSecurity(`${ROUTE}.enter`, { anonymous: true }),
        ...(fastify.hasDecorator('limits') ? { limits: { rate: '60/min', by: 'address' as const } } : {})
      },
      bodyLimit: 1024,
      preValidation: strictQuery([]),
      schema: {
        ...(HIDDEN as object),
        body: closed({ secret: textUpTo(100) }),
        response: { 201: answers.entered },
        errors: [InvalidPortalLink]
      }
    },
    async (request, reply) => {
      const { token, session } = await portal.enter(request.body.secret)
      return reply.code(201).send({ token, session: viewOf(session) })
    }
  )
  fastify.get(
    url,
    { ...door.reading('session'), schema: door.described('The session', { response: { 200: answers.session } }) },
    async (request) => {
      const session = await portal.session(secretOf(request))
      // It ended while it was asked for.
      if (session === null) throw new InvalidPortalLink()
      return viewOf(session)
    }
  )
  fastify.delete(
    url,
    { ...door.changing('leave'), schema: door.described('End the session', { response: { 200: answers.done } }) },
    async (request) => {
      await portal.leave(secretOf(request))
      return { ok: true }
    }
  )
}

function secretOf({ headers }: FastifyRequest): string {
  return bearerOf(headers.authorization) ?? ''
}

interface KeyRoutesParts {
  readonly path: string
  readonly door: OrganizationDoor
  readonly organizations: Organizations
  readonly keys: PortalKeys
}

function keyRoutes(fastify: FastifyInstance, { path, door, organizations, keys }: KeyRoutesParts): void {
  const url = `${path}/keys`
  fastify.get(
    url,
    { ...door.reading('keys'), schema: door.described('Keys, the newest first', { response: { 200: answers.keys } }) },
    async (request) => ({ keys: await keys.list(await organizations.of(request)) })
  )
  fastify.post<{ Body: NewKey }>(
    url,
    {
      ...door.changing('keys.create'),
      bodyLimit: 16_384,
      schema: door.described('Make a key; it is shown once', {
        body: closed({
          name: textUpTo(200),
          permissions: { type: 'array', minItems: 1, maxItems: 100, uniqueItems: true, items: textUpTo(60) },
          expiresInDays: { type: ['integer', 'null'], minimum: 1, maximum: 3650 }
        }),
        response: { 201: answers.newKey }
      })
    },
    async (request, reply) => {
      reply.code(201)
      return keys.create(await organizations.of(request), request.body)
    }
  )
  fastify.delete<{ Params: { readonly key: string } }>(
    `${url}/:key`,
    {
      ...door.changing('keys.revoke'),
      schema: door.described('Revoke a key at once', {
        params: object({ key: textUpTo(100) }),
        response: { 200: answers.done }
      })
    },
    async (request) => {
      await keys.revoke(await organizations.of(request), request.params.key)
      return { ok: true }
    }
  )
}
