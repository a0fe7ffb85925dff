/** Every rule of the selection, as a table. */
import t from 'tap'
import { chooseStore, type SelectionVerdict } from '../../src/selection/choose-store.ts'

const ALL = new Set(['session', 'user', 'webhooks'])
const drivers = {
  none: new Map(),
  sql: new Map([['sqlorm', ALL]]),
  docs: new Map([['docdb', new Set(['session', 'user'])]]),
  both: new Map([
    ['docdb', ALL],
    ['sqlorm', ALL]
  ]),
  other: new Map([['cachedb', ALL]]),
  idle: new Map([['sqlorm', new Set<string>()]])
}

/** Which of the loaded drivers carries a brick. */
function carrying(brick: string, loaded: ReadonlyMap<string, ReadonlySet<string>>): Map<string, boolean> {
  return new Map([...loaded].map(([name, bricks]) => [name, bricks.has(brick)]))
}

type Row = [
  configured: string,
  loaded: keyof typeof drivers,
  declared: string | null,
  brick: string,
  expected: `${SelectionVerdict['outcome']}${'' | `:${string}`}`,
  reason: RegExp,
  fellBack: boolean
]

const rows: Row[] = [
  ['memory', 'both', 'sqlorm', 'user', 'memory', /memory is configured/, false],
  ['auto', 'none', null, 'user', 'memory', /no driver is loaded$/, false],
  ['auto', 'none', 'docdb', 'user', 'memory', /docdb is declared but not loaded/, true],
  ['auto', 'sql', null, 'user', 'driver:sqlorm', /the only driver loaded/, false],
  ['auto', 'docs', null, 'user', 'driver:docdb', /the only driver loaded/, false],
  ['auto', 'docs', 'docdb', 'user', 'driver:docdb', /the declared database/, false],
  ['auto', 'both', null, 'user', 'driver:sqlorm', /first choice among docdb, sqlorm/, false],
  ['auto', 'both', 'docdb', 'user', 'driver:docdb', /follows docdb, the declared database/, false],
  ['auto', 'both', 'sqlorm', 'user', 'driver:sqlorm', /the declared database/, false],
  ['auto', 'docs', 'sqlorm', 'user', 'driver:docdb', /sqlorm is declared but not loaded/, false],
  ['auto', 'other', null, 'user', 'driver:cachedb', /the only driver/, false],
  ['auto', 'docs', null, 'webhooks', 'memory', /docdb, .* does not support the webhooks store/, true],
  ['auto', 'idle', null, 'user', 'memory', /does not support the user store/, true],
  ['docdb', 'both', 'sqlorm', 'user', 'driver:docdb', /docdb is configured/, false],
  ['docdb', 'docs', null, 'webhooks', 'memory', /docdb is configured, but it does not support/, true],
  ['cachedb', 'other', null, 'user', 'driver:cachedb', /cachedb is configured/, false]
]

for (const [configured, loaded, declared, brick, expected, reason, fellBack] of rows) {
  t.test(`${configured}, loaded: ${loaded}, declared: ${declared}, ${brick}: ${expected}`, async (t) => {
    for (const mode of ['production', 'development', 'test'] as const) {
      const verdict = chooseStore({ brick, configured, mode, carries: carrying(brick, drivers[loaded]), declared })
      const [outcome, driver = 'memory'] = expected.split(':')
      t.match(verdict, { outcome, driver, reason, fellBack })
    }
  })
}

const unknown: [
  configured: string,
  loaded: keyof typeof drivers,
  mode: 'production' | 'development' | 'test',
  outcome: string
][] = [
  ['docdb', 'none', 'production', 'abort'],
  ['docdb', 'sql', 'production', 'abort'],
  ['docdb', 'sql', 'test', 'abort'],
  ['docdb', 'sql', 'development', 'disabled'],
  ['', 'none', 'development', 'disabled'],
  ['constructor', 'sql', 'production', 'abort'],
  ['Memory', 'none', 'production', 'abort']
]

for (const [configured, loaded, mode, outcome] of unknown) {
  t.test(`unknown "${configured}" in ${mode}: ${outcome}`, async (t) => {
    const verdict = chooseStore({
      brick: 'user',
      configured,
      mode,
      carries: carrying('user', drivers[loaded]),
      declared: null
    })
    t.match(verdict, { outcome, driver: null, fellBack: false })
    t.match(verdict.reason, `the store "${configured}" is unknown`)
  })
}
