/** Which zone holds a template, when the path decides too, and which of two is stricter. */
import fc from 'fast-check'
import t from 'tap'
import type { RouterFolding } from '../../../src/authentication/zones/canonical-path.ts'
import { withFirst, ZoneMap } from '../../../src/authentication/zones/zone-map.ts'

const plain: RouterFolding = {
  ignoreCase: false,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  semicolonDelimiter: false
}

function zones(patterns: Record<string, string | [pattern: string, ...authenticators: string[]]>, folding = plain) {
  const areas = Object.entries(patterns).map(([name, given]) => {
    const [pattern, ...authenticators] = [given].flat() as [string, ...string[]]
    const list = authenticators.length > 0 ? authenticators : ['key']
    return [name, { pattern, authenticators: list, mode: 'first' as const, realtime: true }]
  })
  return new ZoneMap(Object.fromEntries(areas), folding)
}

const map = zones({ admin: '^/admin(/|$)', api: ['^/api', 'key', 'anonymous'], tail: '/secret$' })

const templates: Array<[template: string, zone: string | null, byPath: boolean]> = [
  ['/admin', 'admin', false],
  ['/admin/users', 'admin', false],
  ['/administer', null, false],
  ['/api/x', 'api', false],
  ['/x/secret', 'tail', true],
  ['/admin/users/:id', 'admin', false],
  ['/api/articles/:id', 'api', false],
  ['/x/:id/secret', 'tail', true],
  ['/:tenant/users', null, true],
  ['/*', null, true],
  ['*', null, true],
  ['/public/:file', null, true]
]

for (const [template, zone, byPath] of templates) {
  t.test(`template ${template}: ${zone}${byPath ? ', and the path' : ''}`, (t) => {
    const found = map.ofTemplate(template)
    t.equal(found.zone?.name ?? null, zone)
    t.equal(found.byPath, byPath)
    t.end()
  })
}

t.test('usual patterns settle parametric routes at boot', (t) => {
  const usual = zones({ admin: '^/admin', api: '^/api', open: ['^/pub', 'anonymous'] })
  for (const template of ['/admin/:id', '/api/a/:id', '/api/*', '/files/:name', '/pub/:x', '/b::c', '/apis']) {
    t.equal(usual.ofTemplate(template).byPath, false, template)
  }
  for (const template of ['/:tenant/users', '/a*', '/a::b', '/:x', '/p:x'])
    t.equal(usual.ofTemplate(template).byPath, true, template)
  t.end()
})

const targets: Array<[target: string, template: string, zone: string | null]> = [
  ['/admin/users', '/:tenant/users', 'admin'],
  ['/%61dmin/users', '/:tenant/users', 'admin'],
  ['http://x/admin/users', '/:tenant/users', 'admin'],
  ['/acme/users', '/:tenant/users', null],
  ['/api/x', '/:a/:b', 'api'],
  ['/api/secret', '/:a/:b', 'api'],
  ['/x/secret', '/:a/:b', 'tail'],
  ['/admin%2Fusers', '/:x', null],
  ['*', '/:x', 'admin']
]
for (const [target, template, zone] of targets) {
  t.test(`${target} on ${template}: ${zone}`, (t) => {
    t.equal(map.ofTarget(target, map.ofTemplate(template).zone)?.name ?? null, zone)
    t.end()
  })
}

t.test('the stricter holds: proof over the anonymous visitor, any zone over none, the first of equals', (t) => {
  const mixed = zones({ open: ['^/:', 'anonymous'], closed: '^/admin', other: '^/:t/x', late: '^/late' })
  const open = mixed.ofTemplate('/:t').zone
  t.equal(open?.name, 'open')
  t.equal(mixed.ofTarget('/admin', open)?.name, 'closed')
  t.equal(mixed.ofTarget('/nowhere', open)?.name, 'open')
  const [, closed, , late] = mixed.zones
  t.equal(mixed.ofTarget('/admin', late ?? null), closed)
  t.equal(mixed.ofTarget('/late', closed ?? null), closed)
  t.equal(mixed.ofTarget('/nowhere', null), null)
  t.end()
})

t.test('declaration order decides where several match', (t) => {
  t.equal(zones({ a: '^/api', b: '^/api/admin' }).ofTemplate('/api/admin/x').zone?.name, 'a')
  t.equal(zones({ b: '^/api/admin', a: '^/api' }).ofTemplate('/api/admin/x').zone?.name, 'b')
  t.end()
})

t.test('case and slashes fold as the router folds them', (t) => {
  const folded = zones({ admin: '^/admin' }, { ...plain, ignoreCase: true, ignoreDuplicateSlashes: true })
  t.equal(folded.ofTemplate('/Admin/users').zone?.name, 'admin')
  t.equal(folded.ofTemplate('//admin/users').zone?.name, 'admin')
  t.equal(folded.ofTarget('/ADMIN', null)?.name, 'admin')
  t.equal(zones({ admin: '^/admin' }).ofTemplate('/Admin/users').zone, null)
  t.end()
})

t.test('a prefix route answers with and without its slash: the path decides', (t) => {
  const slash = zones({ admin: '^/admin/' })
  t.equal(slash.ofTemplate('/admin').byPath, true)
  t.equal(slash.ofTarget('/admin/', null)?.name, 'admin')
  t.end()
})

/** What boot calls settled must hold for every path the template can serve. */
t.test('a settled route never serves a path of a stricter zone', async () => {
  const part = fc.constantFrom('/admin', '/api', '/a', '/secret', '/x', '/admin2', '/API')
  const pattern = fc.constantFrom(
    '^/admin',
    '^/admin(/|$)',
    '^/api',
    '^/a',
    '/secret$',
    '^/(api|admin)',
    'x',
    '^/a?dmin'
  )
  const list = fc.constantFrom<[string, ...string[]]>(['key'], ['key', 'anonymous'], ['anonymous'])
  fc.assert(
    fc.property(
      fc.array(fc.tuple(pattern, list), { minLength: 1, maxLength: 4 }),
      fc.array(part, { maxLength: 2 }),
      fc.constantFrom('/:id', '/*', '/:id/x', ':id'),
      fc.array(part, { minLength: 1, maxLength: 3 }),
      (declared, head, tail, filling) => {
        const areas = Object.fromEntries(declared.map(([source, names], index) => [`z${index}`, [source, ...names]]))
        const random = zones(areas as Record<string, [string, ...string[]]>)
        const start = head.join('')
        const { zone, byPath } = random.ofTemplate(start + tail)
        if (byPath) return true
        const path = `${start}/${filling.join('').slice(1)}${tail.endsWith('/x') ? '/x' : ''}`
        return random.ofTarget(path, zone) === zone
      }
    ),
    { numRuns: 5000 }
  )
})

t.test('authenticators that every zone tries first, but one that asks for several proofs', async (t) => {
  const rest = { realtime: true, uncheckedSocketS: 60, basicWithoutSecondFactor: false } as const
  const areas = {
    one: { pattern: '^/one', authenticators: ['jwt'], mode: 'first', ...rest },
    all: { pattern: '^/all', authenticators: ['jwt'], mode: 'all', ...rest }
  } as const
  const first = withFirst(areas, ['tester'])
  t.strictSame(first.one?.authenticators, ['tester', 'jwt'])
  t.strictSame(first.all?.authenticators, ['jwt'])
  t.equal(withFirst(areas, []), areas)
})
