/** Plugins that shape answers: headers, compression, files, templates. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Eta } from 'eta'
import { portOf } from '../../support/ports.ts'
import { rawExchange, rawRequest } from '../../support/raw-http.ts'
import type { Neighbour } from './neighbour.ts'

const PAGE = 'https://shop.example'

const helmet: Neighbour = {
  name: '@fastify/helmet',
  register: (scope, plugin) => scope.register(plugin),
  routes: (scope, at) => void scope.get(`${at}/page`, async () => 'page'),
  async holds(t, { at, caller, order }) {
    const policy = async (path: string) => (await caller.ask(path)).headers.get('content-security-policy') ?? ''
    t.match(await policy(`${at}/page`), /default-src 'self'/)
    const onRefusal = await policy('/in/nowhere?without-proof')
    if (order === 'before') t.match(onRefusal, /default-src 'self'/, 'refusals have the headers too')
  },
  note: 'Register it before svc-security, so that refusals of the firewall have its headers too.'
}

const cors: Neighbour = {
  name: '@fastify/cors',
  register: (scope, plugin) => scope.register(plugin, { origin: PAGE, credentials: true }),
  routes: (scope, at) => void scope.get(`${at}/page`, async () => 'page'),
  async holds(t, { at, caller, order }) {
    const allowed = await caller.ask(`${at}/page`, { headers: { origin: PAGE } })
    t.equal(allowed.headers.get('access-control-allow-origin'), PAGE)
    // A browser sends no credential with a preflight.
    const headers = { origin: PAGE, 'access-control-request-method': 'GET', cookie: '' }
    const preflight = await caller.ask(`${at}/page`, { method: 'OPTIONS', headers })
    t.equal(preflight.status, at === '/open' || order === 'before' ? 204 : 401, preflight.text)
  },
  note: 'Register it before svc-security. After it, preflights to a zone are 401.'
}

const compress: Neighbour = {
  name: '@fastify/compress',
  register: (scope, plugin) => scope.register(plugin, { threshold: 64 }),
  routes(scope, at) {
    scope.get(`${at}/long`, async () => ({ text: 'abc'.repeat(500) }))
  },
  async holds(t, { at, caller }) {
    const answer = await caller.ask(`${at}/long`, { headers: { 'accept-encoding': 'gzip' } })
    t.equal(answer.headers.get('content-encoding'), 'gzip')
    t.equal(answer.json().text.length, 1500)
  },
  note: ''
}

/** Files below `/` too, where the paths of a zone are files: only the firewall is between them and a stranger. */
const files: Neighbour = {
  name: '@fastify/static',
  register(scope, plugin, { t }) {
    const root = t.testdir({ 'a.txt': 'for everyone', in: { 'b.txt': 'for members' } })
    mkdirSync(join(root, 'deep', 'in'), { recursive: true })
    writeFileSync(join(root, 'deep', 'in', 'c.txt'), 'deep')
    return scope.register(plugin, { root, prefix: '/', index: false })
  },
  async holds(t, { at, caller, fastify }) {
    t.equal((await caller.ask('/a.txt')).text, 'for everyone')
    if (at === '/open') t.equal((await caller.ask('/in/b.txt')).status, 401)
    const port = portOf(fastify.server)
    for (const target of [
      '/in/b.txt',
      '//in/b.txt',
      '/./in/b.txt',
      '/in%2fb.txt',
      '/%69n/b.txt',
      '/in%5cb.txt',
      '/deep/../in/b.txt',
      '/deep/%2e%2e/in/b.txt',
      '/deep/..%2fin/b.txt',
      '/in//b.txt',
      '/in/./b.txt',
      '/%2fin/b.txt',
      '/.%2fin/b.txt',
      '/deep/%2e%2e%2fin%2fb.txt',
      '/in/b.txt?x',
      '/in/b.txt;x',
      '/in/b.txt%00',
      '/in/%62.txt'
    ]) {
      const { status, text } = await rawExchange(port, rawRequest('GET', target))
      t.notMatch(text, /for members/, `${target}: ${status}`)
    }
  },
  note: 'Files below the path of a zone need its proof, in every spelling of the path.'
}

const view: Neighbour = {
  name: '@fastify/view',
  register(scope, plugin, { t }) {
    const templates = t.testdir({ 'hello.eta': 'Hello <%= it.name %>' })
    return scope.register(plugin, { engine: { eta: new Eta({ views: templates }) }, templates })
  },
  routes(scope, at) {
    scope.get(`${at}/hello`, (_request, reply) =>
      reply.getDecorator<(page: string, data: object) => unknown>('view')('hello.eta', { name: '<you>' })
    )
  },
  async holds(t, { at, caller }) {
    const page = await caller.ask(`${at}/hello`)
    t.equal(page.text, 'Hello &lt;you&gt;', page.text)
    t.match(page.headers.get('content-type'), /text\/html/)
  },
  note: ''
}

const sensible: Neighbour = {
  name: '@fastify/sensible',
  register: (scope, plugin) => scope.register(plugin),
  routes(scope, at) {
    scope.get(`${at}/gone`, async (_request, reply) => reply.getDecorator<() => unknown>('gone')())
    scope.get(`${at}/teapot`, async () => {
      throw scope.getDecorator<Record<string, () => Error>>('httpErrors').imateapot?.()
    })
  },
  async holds(t, { at, caller }) {
    t.match((await caller.ask(`${at}/gone`)).json(), { statusCode: 410, error: 'Gone' })
    t.match((await caller.ask(`${at}/teapot`)).json(), { statusCode: 418 })
  },
  note: ''
}

export const answering: readonly Neighbour[] = [helmet, cors, compress, files, view, sensible]
