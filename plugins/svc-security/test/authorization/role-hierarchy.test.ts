/** Closure, cycles and odd names; random hierarchies against a closure oracle. */
import fc from 'fast-check'
import t from 'tap'
import { RoleCycle, RoleHierarchy } from '../../src/authorization/role-hierarchy.ts'

const company = {
  ROLE_OWNER: ['ROLE_ADMIN', 'ROLE_BILLING'],
  ROLE_ADMIN: ['ROLE_EDITOR'],
  ROLE_EDITOR: ['ROLE_USER', 'ROLE_USER'],
  ROLE_BILLING: []
}

const rows: Array<[owned: unknown[], wanted: string, granted: boolean]> = [
  [['ROLE_OWNER'], 'ROLE_USER', true],
  [['ROLE_OWNER'], 'ROLE_BILLING', true],
  [['ROLE_EDITOR'], 'ROLE_ADMIN', false],
  [['ROLE_BILLING'], 'ROLE_USER', false],
  [['ROLE_USER'], 'ROLE_USER', true],
  [['ROLE_STRANGER'], 'ROLE_STRANGER', true],
  [['ROLE_STRANGER'], 'ROLE_USER', false],
  [['ROLE_BILLING', 'ROLE_ADMIN'], 'ROLE_USER', true],
  [['ROLE_ADMIN', 'ROLE_ADMIN', null, 7, undefined, {}], 'ROLE_USER', true],
  [[null, 7, undefined, {}, ['ROLE_ADMIN']], 'ROLE_USER', false],
  [['role_admin'], 'ROLE_USER', false],
  [['ROLE_OWNER'], 'role_user', false],
  [[], 'ROLE_USER', false],
  [['__proto__', 'constructor', 'toString'], 'ROLE_USER', false],
  [['ROLE_OWNER'], '__proto__', false],
  [['ROLE_OWNER'], 'constructor', false]
]

for (const [owned, wanted, granted] of rows) {
  t.test(`[${owned.map(String)}] on ${wanted}: ${granted}`, (t) => {
    t.equal(new RoleHierarchy(company).grants(owned, wanted), granted)
    t.end()
  })
}

t.test('names of object members are names like any other', (t) => {
  const hierarchy = new RoleHierarchy(JSON.parse('{"__proto__": ["constructor"], "constructor": ["ROLE_X"]}'))
  t.equal(hierarchy.grants(['__proto__'], 'ROLE_X'), true)
  t.equal(hierarchy.grants(['ROLE_X'], '__proto__'), false)
  t.equal(({} as Record<string, unknown>).ROLE_X, undefined)
  t.end()
})

const cycles: Array<[title: string, inherits: Record<string, string[]>, path: string[]]> = [
  ['of itself', { ROLE_A: ['ROLE_A'] }, ['ROLE_A', 'ROLE_A']],
  ['of two', { ROLE_A: ['ROLE_B'], ROLE_B: ['ROLE_A'] }, ['ROLE_A', 'ROLE_B', 'ROLE_A']],
  [
    'behind an innocent start',
    { ROLE_S: ['ROLE_A'], ROLE_A: ['ROLE_B'], ROLE_B: ['ROLE_C'], ROLE_C: ['ROLE_A'] },
    ['ROLE_A', 'ROLE_B', 'ROLE_C', 'ROLE_A']
  ],
  [
    'in a corner nobody is given',
    { ROLE_USER: [], ROLE_ADMIN: ['ROLE_USER'], ROLE_X: ['ROLE_Y'], ROLE_Y: ['ROLE_X'] },
    ['ROLE_X', 'ROLE_Y', 'ROLE_X']
  ]
]

for (const [title, inherits, path] of cycles) {
  t.test(`a cycle ${title} is refused with its path`, (t) => {
    t.throws(() => new RoleHierarchy(inherits), { message: path.join(' → '), path })
    t.end()
  })
}

t.test('a diamond is no cycle', (t) => {
  const diamond = { ROLE_A: ['ROLE_B', 'ROLE_C'], ROLE_B: ['ROLE_D'], ROLE_C: ['ROLE_D'] }
  t.equal(new RoleHierarchy(diamond).grants(['ROLE_A'], 'ROLE_D'), true)
  t.end()
})

t.test('flattened when it is made: a question reads nothing of what was given', (t) => {
  let reads = 0
  const counted = (roles: string[]) =>
    new Proxy(roles, {
      get: (target, name, receiver) => {
        reads += 1
        return Reflect.get(target, name, receiver)
      }
    })
  const hierarchy = new RoleHierarchy({ ROLE_A: counted(['ROLE_B']), ROLE_B: counted(['ROLE_C']) })
  t.ok(reads > 0)
  reads = 0
  t.equal(hierarchy.grants(['ROLE_A'], 'ROLE_C'), true)
  t.equal(hierarchy.grants(['ROLE_C'], 'ROLE_A'), false)
  t.equal(reads, 0)
  t.end()
})

t.test('a chain of 1000 is flattened; depth is no stack', (t) => {
  const chain = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`ROLE_${n}`, [`ROLE_${n + 1}`]]))
  const hierarchy = new RoleHierarchy(chain)
  t.equal(hierarchy.grants(['ROLE_0'], 'ROLE_1000'), true)
  t.equal(hierarchy.grants(['ROLE_1000'], 'ROLE_0'), false)
  const loop = Object.fromEntries(Array.from({ length: 20000 }, (_, n) => [`ROLE_${n}`, [`ROLE_${(n + 1) % 20000}`]]))
  t.throws(() => new RoleHierarchy(loop), RoleCycle)
  t.end()
})

const names = Array.from({ length: 10 }, (_, n) => `ROLE_${n}`)
/** Edges only from lower to higher numbers: never a cycle. */
const dag = fc
  .array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 30 })
  .map((pairs) => pairs.filter(([from, to]) => from < to))

function inheritance(edges: ReadonlyArray<readonly [number, number]>): Record<string, string[]> {
  const inherits: Record<string, string[]> = {}
  for (const [from, to] of edges) inherits[`ROLE_${from}`] = [...(inherits[`ROLE_${from}`] ?? []), `ROLE_${to}`]
  return inherits
}

function oracle(edges: ReadonlyArray<readonly [number, number]>, owned: number, wanted: number): boolean {
  if (owned === wanted) return true
  return edges.some(([from, to]) => from === owned && oracle(edges, to, wanted))
}

t.test('random hierarchies agree with a plain closure', async () => {
  fc.assert(
    fc.property(dag, (edges) => {
      const hierarchy = new RoleHierarchy(inheritance(edges))
      return names.every((owned, a) =>
        names.every((wanted, b) => hierarchy.grants([owned], wanted) === oracle(edges, a, b))
      )
    }),
    { numRuns: 300 }
  )
})

t.test('random graphs are refused exactly when they loop', async () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { maxLength: 14 }), (edges) => {
      const reach = (from: number, to: number, seen = new Set<number>()): boolean =>
        edges.some(([a, b]) => a === from && (b === to || (!seen.has(b) && reach(b, to, seen.add(b)))))
      const loops = [0, 1, 2, 3, 4, 5, 6].some((node) => reach(node, node))
      try {
        new RoleHierarchy(inheritance(edges))
        return !loops
      } catch (error) {
        return loops && error instanceof RoleCycle && error.path[0] === error.path.at(-1)
      }
    }),
    { numRuns: 500 }
  )
})
