/** J8: wrong keys, wrong values, a wrong order: one report for each phase, with lines, before anything is opened. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Shop } from '../support/shop.ts'

const CHECK = 'config:check'

const IMPORTS = ['Audit', 'Decorators', 'Docdb', 'Security', 'Sqlorm', 'Webhooks']
  .map((name) => `import svc${name} from 'svc-${name.toLowerCase()}'`)
  .join('\n')

/** What a newcomer has after an hour, each module on a line of its own. */
const MODULES = {
  docdb: "[svcDocdb, { connectors: { documents: { uri: 'mongodb://shop:hunter2@127.0.0.1:1/shop' } } }]",
  sqlorm:
    "[svcSqlorm, { connectors: { file: { url: 'sqlite:shop.db' }, server: { url: 'postgres://shop:hunter2@127.0.0.1:1/shop' } } }]",
  audit: 'svcAudit',
  security: "[svcSecurity, { areas: { api: { pattern: '^/api', authenticators: ['anonymous'] } } }]",
  webhooks: '[svcWebhooks, { maxRetries: 3 }]',
  decorators: "[svcDecorators, { dir: './controllers' }]"
}

/** The line of svc.config.ts with the first module. */
const FIRST_MODULE = IMPORTS.split('\n').length + 8

async function listed(t: Test, modules: readonly string[]): Promise<Shop> {
  const shop = await Shop.create(t)
  await shop.write('svc.config.ts', configOf(modules))
  return shop
}

function configOf(modules: readonly string[]): string {
  return `${IMPORTS}
import { defineConfig } from 'svc-host'
import { env } from './env.ts'

export default defineConfig({
  mode: env.NODE_ENV,
  server: { host: env.HOST, port: env.PORT },
  modules: [
    ${modules.join(',\n    ')}
  ]
})

export const known = [${Object.keys(MODULES)
    .map((name) => `svc${name[0]?.toUpperCase()}${name.slice(1)}`)
    .join(', ')}]
`
}

/** The config is refused alike by whoever reads it; nothing was opened, and no stack is shown. */
async function refusedAlike(t: Test, shop: Shop): Promise<string> {
  const before = await readdir(shop.folder)
  const checked = await shop.svc(CHECK)
  t.equal(checked.code, 1)
  const booted = await shop.svc('dev')
  t.equal(booted.code, 1)
  t.equal(booted.stderr, checked.stderr, 'the boot says the same as the check')
  t.equal(checked.stdout + booted.stdout, '')
  t.notMatch(checked.stderr, /\n +at [^:]/, 'no stack')
  t.same(await readdir(shop.folder), before, 'no database was made')
  return checked.stderr
}

t.test('three slips, one report', async (t) => {
  const { audit, security, webhooks, decorators } = MODULES
  const shop = await listed(t, [
    audit,
    security.replace('pattern', 'patern'),
    webhooks.replace('maxRetries: 3', "maxRetires: 3, store: 'mongo'"),
    decorators
  ])
  const report = await refusedAlike(t, shop)
  const line = (index: number): string => `svc.config.ts:${FIRST_MODULE + index}`
  t.match(report, /^3 problems\n/)
  t.equal(report.match(/✖/g)?.length, 3)
  for (const [said, at, detail] of [
    [
      'unknown key (did you mean pattern?)',
      `${line(1)}  svc-security.areas.api.patern`,
      'fix: rename patern to pattern'
    ],
    ['unknown key (did you mean maxRetries?)', `${line(2)}  svc-webhooks.maxRetires`, 'fix: rename maxRetires'],
    ['invalid value', `${line(2)}  svc-webhooks.store`, 'got "mongo", expected auto | memory | sqlorm | docdb']
  ] as const) {
    const problem = report.split('✖').find((text) => text.includes(at)) ?? ''
    t.match(problem, said)
    t.match(problem, detail)
    t.match(problem, 'more: npx svc docs options')
  }
})

t.test('each key on a line of its own: the line of the key', async (t) => {
  const { audit, security, webhooks } = MODULES
  const shop = await listed(t, [
    audit,
    security,
    webhooks.replace(
      '{ maxRetries: 3 }',
      "{\n      maxRetires: 3,\n      // where endpoints are kept\n      store: 'mongo'\n    }"
    )
  ])
  const { stderr } = await shop.svc(CHECK)
  t.match(stderr, `svc.config.ts:${FIRST_MODULE + 3}  svc-webhooks.maxRetires`)
  t.match(stderr, `svc.config.ts:${FIRST_MODULE + 5}  svc-webhooks.store`)
})

t.test('a role hierarchy that loops: the loop, and its line', async (t) => {
  const { audit, security, decorators } = MODULES
  const loop = "{ roleHierarchy: { ROLE_A: ['ROLE_B'], ROLE_B: ['ROLE_A'] }, "
  const shop = await listed(t, [audit, security.replace('{ ', loop), decorators])
  const report = await refusedAlike(t, shop)
  t.match(report, /^✖ SVC_SEC_ROLE_CYCLE .*ROLE_A → ROLE_B → ROLE_A$/m)
  t.match(report, `svc.config.ts:${FIRST_MODULE + 1}  svc-security.roleHierarchy.ROLE_A`)
})

t.test('databases after what stores in them: the order that is right for all', async (t) => {
  const { docdb, sqlorm, audit, security, webhooks, decorators } = MODULES
  const shop = await listed(t, [audit, security, docdb, sqlorm, webhooks, decorators])
  const report = await refusedAlike(t, shop)
  t.match(report, /^4 problems\n/)
  for (const [provider, user, index] of [
    ['svc-docdb', 'svc-audit', 0],
    ['svc-sqlorm', 'svc-audit', 0],
    ['svc-docdb', 'svc-security', 1],
    ['svc-sqlorm', 'svc-security', 1]
  ] as const) {
    const problem = report.split('✖').find((text) => text.includes(`${provider} must come before ${user}`)) ?? ''
    t.match(problem, 'SVC_MODULE_ORDER')
    t.match(problem, `at: svc.config.ts:${FIRST_MODULE + index}  modules[${index}]`)
    t.match(problem, 'fix: modules: [svc-docdb, svc-sqlorm, svc-audit, svc-security, svc-webhooks, svc-decorators]')
  }
  await shop.write('svc.config.ts', configOf([docdb, sqlorm, audit, security, webhooks, decorators]))
  const { code, stderr } = await shop.svc(CHECK)
  t.equal(code, 0, `the fix is one: ${stderr}`)
})

t.test('a clean config: exit 0, no port, no connection, no file', async (t) => {
  const shop = await listed(t, Object.values(MODULES))
  const before = await readdir(shop.folder)
  // Somebody else has the port: the check does not want it.
  const other = await listed(t, [MODULES.security, MODULES.decorators])
  await other.start(['dev'], { PORT: String(shop.port) }).shows(/is ready at/)
  const { code, stdout, stderr } = await shop.svc(CHECK)
  t.equal(code, 0, stderr)
  t.equal(stderr, '', 'also no warning of a database that is out of reach')
  t.match(
    stdout,
    'svc.config.ts is valid: svc-docdb, svc-sqlorm, svc-audit, svc-security, svc-webhooks, svc-decorators'
  )
  t.same(await readdir(shop.folder), before)
  const json = await shop.svc(CHECK, '--json')
  t.match(JSON.parse(json.stdout), { ok: true, problems: [] })
})

t.test('for machines: the same problems as JSON, and no password of a database', async (t) => {
  const { docdb, sqlorm, audit } = MODULES
  const wrong = docdb.replace('mongodb://', 'mongo://')
  const shop = await listed(t, [audit, wrong])
  const { code, stdout } = await shop.svc(CHECK, '--json')
  t.equal(code, 1)
  t.match(JSON.parse(stdout), {
    ok: false,
    problems: [
      { code: 'SVC_MODULE_ORDER', at: `svc.config.ts:${FIRST_MODULE}  modules[0]` },
      {
        code: 'SVC_KERNEL_OPTIONS',
        at: `svc.config.ts:${FIRST_MODULE + 1}  svc-docdb.connectors.documents.uri`
      }
    ]
  })
  t.notMatch(stdout, 'hunter2')

  await shop.write('svc.config.ts', configOf([sqlorm.replace('postgres://', 'postgress://')]))
  const { stderr } = await shop.svc(CHECK)
  t.match(stderr, /✖ SVC_SQLORM_URL/)
  t.match(stderr, `at: svc.config.ts:${FIRST_MODULE}  svc-sqlorm.connectors.server.url`)
  t.notMatch(stderr, 'hunter2')
})

t.test('P9: a misspelt `modules` and a missing comma are named with their line by every command', async (t) => {
  const shop = await listed(t, Object.values(MODULES))
  const text = await readFile(join(shop.folder, 'svc.config.ts'), 'utf8')
  const lines = text.split('\n')
  const wrong = [
    [text.replace('  modules: [', '  modulos: ['), lines.indexOf('  modules: [') + 1, /did you mean modules\?/],
    [
      text.replace('} }],\n    svcAudit', '} }]\n    [svcAudit, {}]'),
      lines.indexOf('    svcAudit,'),
      /a comma is missing/
    ],
    [text.replaceAll('],\n    [', ']\n    ['), FIRST_MODULE, /a comma is missing/]
  ] as const
  for (const [config, line, message] of wrong) {
    t.not(config, text)
    await shop.write('svc.config.ts', config)
    for (const command of [[CHECK], ['routes'], ['module:add', 'test']]) {
      const { code, stderr } = await shop.svc(...command)
      t.equal(code, 1)
      t.match(stderr, message, command.join(' '))
      t.match(stderr, new RegExp(`at: svc\\.config\\.ts:${line} `), command.join(' '))
    }
  }
})
