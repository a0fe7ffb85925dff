/**
 * Routes of the console: pages are for `ROLE_SVC_ADMIN`. The sign-in page and the files are for everybody, as is the word
 * on what does not answer: they have to be there when nobody can prove anything. Files are those of the published package,
 * hold nothing of the application, and are served only where an entry lists them.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { appHost, type Outage } from 'svc-kernel'
import type { ByFile, WebBuild } from 'svc-kernel/pages'
import { adminRoute, routeSecurity } from 'svc-kernel/plugin'
import { integer, listOf, object, text } from 'svc-kernel/schemas'
import { PAGE_HEADERS, pageDocument } from './pages/page-document.ts'
import { answerRefusals } from './pages/page-refusal.hook.ts'
import type { PageSettings } from './pages/page-settings.ts'
import { returnPath } from './pages/return-path.ts'
import { servedApis } from './pages/served-apis.ts'

/** A dependency that takes longer does not answer. */
const OUTAGE_MS = 2000

const outageSchema = {
  response: { 200: object({ outages: listOf(object({ name: text, since: { ...integer, description: 'epoch ms' } })) }) }
}

/** Declared in its own scope, under the path of the console. */
export async function consoleRoutes(fastify: FastifyInstance, { build }: { build: WebBuild }): Promise<void> {
  const base = fastify.prefix
  const entries = { console: build.entry('console.tsx'), signIn: build.entry('sign-in.tsx') }
  const signInFiles = `${base}/sign-in/files`
  const application = fastify.hasDecorator('appHost') ? appHost(fastify).name : null
  let apis: readonly string[] | null = null

  const settings = (
    view: PageSettings['view'],
    request: FastifyRequest,
    returnTo: string,
    outages: readonly Outage[] = []
  ): PageSettings => {
    apis ??= servedApis(request.server)
    const user = request.user === null ? null : { identifier: request.user.identifier, roles: request.user.roles }
    return { base, application, apis, view, user, returnTo, outages }
  }
  const publicPage = (reply: FastifyReply, told: PageSettings) =>
    sendPage(reply, pageDocument(entries.signIn, signInFiles, told))
  const outages = () => fastify.healthChecks.outages(OUTAGE_MS)

  fastify.addHook('onRoute', (route) => {
    // Pages are no part of a description of the API.
    route.schema = { ...route.schema, hide: true } as object
  })
  fastify.addHook('onSend', async (_request, reply) => {
    reply.headers(PAGE_HEADERS)
    if (reply.statusCode !== 200 || !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })

  const open = (name: string) => ({ config: { svc: routeSecurity(name, { bypassFirewall: true }) } })
  const signIn = open('svc.console.sign-in')
  fastify.get<{ Querystring: { return?: unknown } }>('/sign-in', signIn, (request, reply) =>
    publicPage(reply, settings('sign-in', request, returnPath(base, request.query.return)))
  )
  fastify.get<ByFile>('/sign-in/files/:file', signIn, (request, reply) => build.send(entries.signIn, request, reply))
  fastify.get<ByFile>('/files/:file', open('svc.console.file'), (request, reply) =>
    build.send(entries.console, request, reply)
  )
  fastify.get('/outage', { ...open('svc.console.outage'), schema: outageSchema }, async () => ({
    outages: await outages()
  }))

  await fastify.register(async (pages) => {
    pages.addHook('onRoute', (route) =>
      answerRefusals(route, {
        signIn: (request, reply) => {
          const target = encodeURIComponent(returnPath(base, request.url))
          return reply.redirect(`${base}/sign-in?return=${target}`)
        },
        lacksRole: (request, reply) =>
          publicPage(reply.code(403), settings('refused', request, returnPath(base, request.url))),
        unavailable: async (request, reply) => {
          const told = settings('unavailable', request, returnPath(base, request.url), await outages())
          return publicPage(reply.code(503).header('retry-after', '3'), told)
        }
      })
    )
    const page = adminRoute('svc.console.page')
    const sendConsole = (request: FastifyRequest, reply: FastifyReply) =>
      sendPage(reply, pageDocument(entries.console, `${base}/files`, settings('console', request, base)))
    pages.get('', page, sendConsole)
    pages.get('/*', page, sendConsole)
  })
}

function sendPage(reply: FastifyReply, document: string): FastifyReply {
  return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(document)
}
