/** The path as the router reads it, in a table and against the router itself. */
import fc from 'fast-check'
import Fastify from 'fastify'
import t from 'tap'
import { canonicalPath, type RouterFolding, routerFolding } from '../../../src/authentication/zones/canonical-path.ts'
import { rawRequest } from '../../support/raw-request.ts'

const plain: RouterFolding = {
  ignoreCase: false,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  semicolonDelimiter: false
}
const folding: RouterFolding = {
  ignoreCase: true,
  ignoreDuplicateSlashes: true,
  ignoreTrailingSlash: true,
  semicolonDelimiter: true
}

const rows: Array<[target: string, plain: string | null, folded?: string]> = [
  ['/admin/users', '/admin/users'],
  ['/admin/users?a=/b#c', '/admin/users'],
  ['/admin/users#x', '/admin/users'],
  ['/%61dmin/users', '/admin/users'],
  ['/%2561dmin', '/%2561dmin'],
  ['/admin%2Fusers', '/admin%2Fusers'],
  ['/admin%2fusers', '/admin%2fusers'],
  ['/a%3Fb', '/a%3Fb'],
  ['/%C3%A9', '/é'],
  ['/admin/%E0%A4%A', null],
  ['/a%', null],
  ['http://evil/admin/users', '/admin/users'],
  ['HTTPS://evil:8443/admin?x', '/admin'],
  ['http://evil', '/'],
  ['http://evil?x=/admin', '/'],
  ['http:///admin', null],
  ['ftp://evil/admin', null],
  ['xhttp://evil/admin', null],
  ['*', null],
  ['', null],
  ['//admin/users', '//admin/users', '/admin/users'],
  ['/admin//users///x', '/admin//users///x', '/admin/users/x'],
  ['/admin/', '/admin/', '/admin'],
  ['/', '/', '/'],
  ['/ADMIN', '/ADMIN'],
  ['/admin;x=1/users', '/admin;x=1/users', '/admin'],
  ['/public/../admin', '/public/../admin'],
  ['/%2e%2e/admin', '/../admin'],
  ['/\\admin', '/\\admin']
]

for (const [target, expected, folded = expected] of rows) {
  t.test(`"${target}" is ${expected}, folded ${folded}`, (t) => {
    t.equal(canonicalPath(target, plain), expected)
    t.equal(canonicalPath(target, folding), folded)
    t.end()
  })
}

t.test('folding follows the router, wherever its options stand', (t) => {
  const routerOptions = { caseSensitive: false, ignoreDuplicateSlashes: true, ignoreTrailingSlash: true }
  const server = { routerOptions: { ...routerOptions, useSemicolonDelimiter: true } }
  t.same(routerFolding(Fastify(server)), folding)
  t.same(routerFolding(Fastify()), plain)
  t.same(routerFolding({ initialConfig: { ignoreTrailingSlash: true } }), { ...plain, ignoreTrailingSlash: true })
  t.end()
})

/** The router is asked through a wildcard: what it captured is how it read the path, reserved escapes aside. */
t.test('random targets are read as the router reads them', async (t) => {
  const piece = fc.constantFrom('/', '//', 'a', 'B', '%61', '%2e', '.', '..', ';', '?', '#', '%C3%A9', '\\', '~', '%7e')
  const target = fc.array(piece, { maxLength: 12 }).map((parts) => `/${parts.join('')}`)
  for (const routerOptions of [{}, { ignoreDuplicateSlashes: true, useSemicolonDelimiter: true }]) {
    const app = Fastify({ routerOptions })
    app.get('/*', async (request) => ({ read: `/${(request.params as Record<string, string>)['*']}` }))
    await app.listen({ port: 0, host: '127.0.0.1' })
    const reading = routerFolding(app)
    await fc.assert(
      fc.asyncProperty(target, async (url) => {
        const { body } = await rawRequest(app, url)
        t.equal(JSON.parse(body).read, canonicalPath(url, reading), url)
      }),
      { numRuns: 150 }
    )
    await app.close()
  }
})
