/** A module list before anything is registered: shape, order, duplicates, options. */

import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { definePlugin, type Problem } from 'svc-kernel'
import type { PluginMeta } from 'svc-kernel/plugin'
import t from 'tap'
import { checkModules } from '../../src/config/check-modules.ts'
import type { ModuleEntry } from '../../src/config/define-config.ts'

const optionsSchema = { type: 'object', additionalProperties: false, properties: { size: { type: 'integer' } } }
const plugin = (name: string, meta: Partial<PluginMeta> = {}): FastifyPluginAsync =>
  definePlugin(async () => {}, { name, optionsSchema, ...meta })

const stores = plugin('svc-stores')
const audit = plugin('svc-audit')
const security = plugin('svc-security', { after: ['svc-stores', 'svc-docdb'], dependencies: ['svc-audit'] })
const foreign = fp(async () => {}, { name: '@x/foreign', dependencies: ['svc-audit'] })
const several = fp(async () => {}, { name: '@x/several' })
async function local(): Promise<void> {}

type Row = [title: string, entries: unknown[], names: string[], problems: Array<Partial<Problem>>]

const rows: readonly Row[] = [
  ['none', [], [], []],
  [
    'in order',
    [stores, audit, [security, { size: 1 }], local],
    ['svc-stores', 'svc-audit', 'svc-security', 'local'],
    []
  ],
  ['what it comes after is not listed', [audit, security], ['svc-audit', 'svc-security'], []],
  [
    'undefined',
    [undefined],
    [],
    [
      {
        code: 'SVC_MODULE_INVALID',
        at: 'modules[0]',
        got: 'undefined',
        fix: 'check the import: the module may have no default export'
      }
    ]
  ],
  [
    'an undefined plugin with options',
    [[undefined, {}]],
    [],
    [{ code: 'SVC_MODULE_INVALID', at: 'modules[0]', got: 'undefined' }]
  ],
  ['null', [stores, null], ['svc-stores'], [{ code: 'SVC_MODULE_INVALID', at: 'modules[1]', got: 'null' }]],
  [
    'a name',
    ['svc-stores'],
    [],
    [
      {
        code: 'SVC_MODULE_INVALID',
        got: 'string',
        expected: 'a plugin, or [plugin, options]',
        fix: 'pass the imported plugin itself'
      }
    ]
  ],
  ['a namespace', [{ default: stores }], [], [{ code: 'SVC_MODULE_INVALID', got: 'object' }]],
  ['an empty entry', [[]], [], [{ code: 'SVC_MODULE_INVALID', got: 'undefined' }]],
  [
    'options that are null',
    [[stores, null]],
    [],
    [{ code: 'SVC_MODULE_INVALID', message: 'the options of svc-stores are not an object', got: 'null' }]
  ],
  ['options that are a list', [[stores, []]], [], [{ code: 'SVC_MODULE_INVALID', got: 'a list' }]],
  ['options that are a function', [[stores, () => ({})]], [], [{ code: 'SVC_MODULE_INVALID', got: 'function' }]],
  ['options left undefined', [[stores, undefined]], ['svc-stores'], []],
  [
    'twice',
    [stores, audit, stores],
    ['svc-stores', 'svc-audit', 'svc-stores'],
    [{ code: 'SVC_MODULE_DUPLICATE', message: 'svc-stores is listed twice, also as modules[0]', at: 'modules[2]' }]
  ],
  ['a foreign plugin twice', [several, several], ['@x/several', '@x/several'], []],
  ['two functions without a name', [() => {}, () => {}], ['anonymous plugin', 'anonymous plugin'], []],
  [
    'a dependency that is not listed',
    [security],
    ['svc-security'],
    [
      {
        code: 'SVC_MODULE_MISSING',
        message: 'svc-security needs svc-audit, which is not listed',
        fix: 'list svc-audit before svc-security'
      }
    ]
  ],
  ['a dependency of a foreign plugin', [foreign], ['@x/foreign'], [{ code: 'SVC_MODULE_MISSING' }]],
  [
    'a dependency that comes later',
    [security, audit],
    ['svc-security', 'svc-audit'],
    [
      {
        code: 'SVC_MODULE_ORDER',
        message: 'svc-audit must come before svc-security',
        at: 'modules[0]',
        fix: 'modules: [svc-audit, svc-security]'
      }
    ]
  ],
  [
    'a provider that comes later',
    [audit, security, local, stores],
    ['svc-audit', 'svc-security', 'local', 'svc-stores'],
    [{ code: 'SVC_MODULE_ORDER', at: 'modules[1]', fix: 'modules: [svc-audit, svc-stores, svc-security, local]' }]
  ],
  [
    'two that come later: each is told the one order that is right for both',
    [security, audit, stores],
    ['svc-security', 'svc-audit', 'svc-stores'],
    [
      { message: 'svc-audit must come before svc-security', fix: 'modules: [svc-audit, svc-stores, svc-security]' },
      { message: 'svc-stores must come before svc-security', fix: 'modules: [svc-audit, svc-stores, svc-security]' }
    ]
  ],
  [
    'two that want to come before each other',
    [plugin('svc-x', { after: ['svc-y'] }), plugin('svc-y', { after: ['svc-x'] })],
    ['svc-x', 'svc-y'],
    [{ code: 'SVC_MODULE_ORDER', fix: 'modules: [svc-y, svc-x]' }]
  ],
  [
    'places count what is no module too',
    [null, security, audit],
    ['svc-security', 'svc-audit'],
    [{ at: 'modules[0]' }, { code: 'SVC_MODULE_ORDER', at: 'modules[1]' }]
  ],
  [
    'a wrong option',
    [[stores, { sise: 1 }]],
    ['svc-stores'],
    [{ code: 'SVC_KERNEL_OPTIONS', at: 'svc-stores.sise', message: 'unknown key (did you mean size?)' }]
  ],
  [
    'everything at once',
    [[security, { size: 'x' }], stores, [], stores],
    ['svc-security', 'svc-stores', 'svc-stores'],
    [
      { code: 'SVC_MODULE_INVALID', at: 'modules[2]' },
      { code: 'SVC_MODULE_MISSING' },
      { code: 'SVC_MODULE_ORDER' },
      { code: 'SVC_MODULE_DUPLICATE' },
      { code: 'SVC_KERNEL_OPTIONS', at: 'svc-security.size' }
    ]
  ]
]

for (const [title, entries, names, expected] of rows) {
  t.test(title, async (t) => {
    const { modules, problems } = checkModules(entries as ModuleEntry[])
    t.same(
      modules.map(({ name }) => name),
      names
    )
    t.equal(problems.length, expected.length)
    for (const problem of expected)
      t.hasStrict(
        problems.find(({ code, at, message }) =>
          problem.message === undefined ? code === problem.code || at === problem.at : message === problem.message
        ),
        problem
      )
  })
}

t.test('options given by the list go to the plugin as they are', async (t) => {
  const options = { size: 1, parts: { clock: () => 0 } }
  t.equal(checkModules([[stores, options]]).modules[0]?.options, options)
})

t.test('live options are left to the plugin that takes them', async (t) => {
  const controllers = plugin('svc-x', { liveOptions: ['classes'] })
  t.same(checkModules([[controllers, { classes: [class {}], size: 1 }]]).problems, [])
  t.match(checkModules([[controllers, { clases: [class {}] }]]).problems, [{ at: 'svc-x.clases[0]' }])
})
