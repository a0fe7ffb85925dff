/**
 * Routes of the console: the sign-in page with its own files for everybody, everything else for `ROLE_SVC_ADMIN`. A file
 * is served only where the entry lists it, so that the public folder holds what the sign-in page needs and no more.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { adminRoute, appHost, routeSecurity } from 'svc-kernel'
import type { WebBuild, WebEntry } from './built/web-build.ts'
import { PAGE_HEADERS, pageDocument } from './pages/page-document.ts'
import { answerRefusals } from './pages/page-refusal.hook.ts'
import type { PageSettings } from './pages/page-settings.ts'
import { returnPath } from './pages/return-path.ts'
import { servedApis } from './pages/served-apis.ts'

/** Names change with their content. They are for who was let in, so no shared cache keeps them. */
const FOR_EVER = 'private, max-age=31536000, immutable'

interface ByFile {
  readonly Params: { readonly file: string }
}

/** Declared in a scope of its own, under the path of the console. */
export async function consoleRoutes(fastify: FastifyInstance, { build }: { build: WebBuild }): Promise<void> {
  const base = fastify.prefix
  const entries = { console: build.entry('console.tsx'), signIn: build.entry('sign-in.tsx') }
  const signInFiles = `${base}/sign-in/files`
  const application = fastify.hasDecorator('appHost') ? appHost(fastify).name : null
  let apis: readonly string[] | null = null

  const settings = (view: PageSettings['view'], request: FastifyRequest, returnTo: string): PageSettings => {
    apis ??= servedApis(request.server)
    const user = request.user === null ? null : { identifier: request.user.identifier, roles: request.user.roles }
    return { base, application, apis, view, user, returnTo }
  }
  const publicPage = (view: 'sign-in' | 'refused', request: FastifyRequest, reply: FastifyReply, returnTo: string) =>
    sendPage(reply, pageDocument(entries.signIn, signInFiles, settings(view, request, returnTo)))

  fastify.addHook('onRoute', (route) => {
    // Pages are no part of a description of the API.
    route.schema = { ...route.schema, hide: true } as object
  })
  fastify.addHook('onSend', async (_request, reply) => {
    reply.headers(PAGE_HEADERS)
    if (reply.statusCode !== 200 || !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })

  const open = { config: { svc: routeSecurity('svc.console.sign-in', { bypassFirewall: true }) } }
  fastify.get<{ Querystring: { return?: unknown } }>('/sign-in', open, (request, reply) =>
    publicPage('sign-in', request, reply, returnPath(base, request.query.return))
  )
  fastify.get<ByFile>('/sign-in/files/:file', open, (request, reply) => sendFile(build, entries.signIn, request, reply))
  fastify.get<ByFile>('/files/:file', adminRoute('svc.console.file'), (request, reply) =>
    sendFile(build, entries.console, request, reply)
  )

  await fastify.register(async (pages) => {
    pages.addHook('onRoute', (route) =>
      answerRefusals(route, {
        signIn: (request, reply) => {
          const target = encodeURIComponent(returnPath(base, request.url))
          return reply.redirect(`${base}/sign-in?return=${target}`)
        },
        lacksRole: (request, reply) => publicPage('refused', request, reply.code(403), returnPath(base, request.url))
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

async function sendFile(
  build: WebBuild,
  { files }: WebEntry,
  request: FastifyRequest<ByFile>,
  reply: FastifyReply
): Promise<FastifyReply> {
  const { file } = request.params
  if (!files.has(file)) {
    reply.callNotFound()
    return reply
  }
  const { type, bytes, packed } = await build.file(file)
  reply.header('cache-control', FOR_EVER).header('vary', 'accept-encoding').type(type)
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(bytes)
  return reply.header('content-encoding', 'gzip').send(packed)
}
